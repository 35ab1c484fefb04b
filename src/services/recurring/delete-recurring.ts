// Deletes a recurring action: its row is marked first, then its object lets go of everything. What is on its way already
// goes on. Should the second half fail, the sweeper does it.
import { deleteRecurring as mark, findRecurring } from "#catalog/recurring.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { isIn, noRecurring, recurringObject, type RecurringName } from "./recurring-view.ts";

export type DeleteRecurring = RecurringName & { readonly reason: string | null; readonly dryRun: boolean };

export async function deleteRecurring(
  deps: Deps,
  caller: TenantCaller,
  { reason, dryRun, ...name }: DeleteRecurring,
): Promise<Result<null>> {
  const { tenant } = caller;
  const row = await findRecurring(deps.db, tenant, name.id);
  if (row === null || row.deletedAt !== null || !isIn(row, name.namespace)) return refuse(noRecurring);
  if (dryRun) return accept(null);
  const audit = auditRow(deps, caller, "recurring.delete", name.id, reason);
  if (!(await mark(deps.db, row, deps.now(), audit))) return refuse(noRecurring);
  deps.log({ level: "info", event: "recurring.delete", tenant, recurring: name.id });
  await recurringObject(deps, tenant, name.id)
    .drop()
    .catch((cause: unknown) => {
      deps.log({ level: "error", event: "recurring.not_dropped", tenant, recurring: name.id, message: String(cause) });
    });
  return accept(null);
}
