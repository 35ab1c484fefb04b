// Recurring maintenance: wakes recurring actions whose alarm was lost, and deletes the rows of deleted recurring
// actions. The sweep calls this.
import {
  deletedRecurring,
  deletedWhileActive,
  deleteRecurringRow,
  markStopped,
  overdueRecurring,
  putRecurring,
  type StoredRecurring,
} from "#catalog/recurring.ts";
import { RECURRING_DELETED_KEPT_MS } from "#schema/limits/recurring-actions.ts";
import { OVERDUE_MS, RECURRING_MAINTAINED_MAX } from "#schema/limits/upkeep/sweeps.ts";
import { rowOf } from "#schema/recurring/row.ts";
import type { Deps } from "../deps.ts";
import { termsOfRow } from "./recurring-dates.ts";
import { recurringObject } from "./recurring-view.ts";

export type RecurringMaintenance = { readonly recurringOverdue: number; readonly recurringForgotten: number };

export async function maintainRecurring(deps: Deps): Promise<RecurringMaintenance> {
  const now = deps.now();
  const overdue = await overdueRecurring(deps.db, now - OVERDUE_MS, RECURRING_MAINTAINED_MAX);
  await forEachRow(deps, overdue, async (row) => {
    const view = await recurringObject(deps, row.tenant, row.id).poke(await termsOfRow(deps, row));
    await putRecurring(deps.db, rowOf(view), null);
  });
  const undropped = await deletedWhileActive(deps.db, RECURRING_MAINTAINED_MAX);
  await forEachRow(deps, undropped, async (row) => {
    await recurringObject(deps, row.tenant, row.id).drop();
    await markStopped(deps.db, row);
  });
  const deleted = await deletedRecurring(deps.db, now - RECURRING_DELETED_KEPT_MS, RECURRING_MAINTAINED_MAX);
  await forEachRow(deps, deleted, async (row) => {
    await recurringObject(deps, row.tenant, row.id).drop();
    await deleteRecurringRow(deps.db, row);
  });
  return { recurringOverdue: overdue.length, recurringForgotten: deleted.length };
}

/**
 * Runs `work` on the rows, AT_ONCE rows at a time. If it fails for one recurring action, the remaining rows are still
 * handled.
 */
async function forEachRow(deps: Deps, rows: readonly StoredRecurring[], work: (row: StoredRecurring) => Promise<void>) {
  for (let index = 0; index < rows.length; index += AT_ONCE) {
    const chunk = rows.slice(index, index + AT_ONCE);
    await Promise.all(
      chunk.map((row) =>
        work(row).catch((cause: unknown) => {
          const about = { tenant: row.tenant, recurring: row.id, message: String(cause) };
          deps.log({ level: "error", event: "recurring.not_maintained", ...about });
        }),
      ),
    );
  }
}

const AT_ONCE = 20;
