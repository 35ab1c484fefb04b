// Recurring actions: gets, lists, previews and deletes them, and reads history and totals.
import { z } from "zod";
import { type Page, decodeCursor, encodeCursor } from "#catalog/page.ts";
import {
  listRecurring as list,
  type RecurringFilters,
  recurringTotals,
  type RecurringTotals,
  deleteRecurring as mark,
  findRecurring,
} from "#catalog/recurring.ts";
import { comingOccurrences, occurrencesFromTo, type ComingOccurrence } from "#policy/calendar/preview.ts";
import { intervalMsOf } from "#policy/calendar/rate.ts";
import { RECURRING_PREVIEW_MAX } from "#schema/limits/recurring-actions.ts";
import { recurringDefaults } from "#schema/recurring/defaults.ts";
import type { OccurrenceRow } from "#schema/recurring/state.ts";
import { accept, type Result, refuse } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { auditDetails } from "./audit-details.ts";
import type { TenantCaller, Deps, Caller } from "../deps.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { detailsWithWork, openWork, withWork, type SeenRecurring, type WithWork } from "./read-work.ts";
import {
  readRecurring,
  recurringView,
  type ReadRecurring,
  recurringListItem,
  type ListedRecurring,
  noRecurring,
  recurringObject,
  type RecurringName,
  isInNamespace,
} from "./recurring-view.ts";

export async function getRecurring(
  deps: Deps,
  caller: TenantCaller,
  { language, ...name }: ReadRecurring,
): Promise<Result<SeenRecurring>> {
  const read = await readRecurring(deps, caller, name);
  if (!read.ok) return read;
  return accept(await detailsWithWork(deps, caller, recurringView(read.value, deps.now(), language)));
}

export type ListRecurring = {
  readonly filters: RecurringFilters;
  readonly cursor: string | null;
  readonly limit: number;
  readonly language: string;
};

export async function listRecurring(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit, language }: ListRecurring,
): Promise<Result<Page<WithWork<ListedRecurring>>>> {
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  const now = deps.now();
  const rows = page.value.data.map((row) => recurringListItem(row, now, language));
  return accept({ ...page.value, data: await withWork(deps, caller.tenant, rows) });
}

export type ReadHistory = RecurringName & { readonly cursor: string | null; readonly limit: number };
export type History = { readonly data: readonly OccurrenceRow[]; readonly nextCursor: string | null };

export async function readHistory(
  deps: Deps,
  caller: TenantCaller,
  { cursor, limit, ...name }: ReadHistory,
): Promise<Result<History>> {
  const before = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!before.ok) return before;
  const known = name.namespace === null ? null : await readRecurring(deps, caller, name);
  if (known !== null && !known.ok) return known;
  const object = recurringObject(deps, caller.tenant, name.id);
  const page = await callWithRetry(() => object.history(limit, before.value), "recurring action");
  if (!page.ok) return page;
  if (page.value === null) return refuse(noRecurring);
  const { data, next } = page.value;
  return accept({ data, nextCursor: next === null ? null : encodeCursor(next) });
}

export type Totals = { readonly at: number; readonly tenants: readonly RecurringTotals[] };

/** Reads the totals. The root key without a tenant reads all tenants. */
export async function readTotals(deps: Deps, { tenant }: Caller): Promise<Totals> {
  return { at: deps.now(), tenants: await recurringTotals(deps.db, tenant) };
}

export type RecurringConfig = { readonly isOn: boolean; readonly intervalMs: number };

export async function readConfig(deps: Deps, { tenant }: Pick<TenantCaller, "tenant">): Promise<RecurringConfig> {
  const { limits } = await tenantSettingsOf(deps, tenant);
  return { isOn: deps.isRecurringOn && limits.recurring > 0, intervalMs: intervalMsOf(limits.recurringPerMinute) };
}

export type PreviewRecurring = RecurringName & {
  /** The maximum number of occurrences. Null: the default number, or with `to` as many as an answer may contain. */
  readonly count: number | null;
  /**
   * Occurrences are listed from this time (epoch ms) on; null: from now on. `to`: the time before which the list ends.
   */
  readonly from: number | null;
  readonly to: number | null;
};
export type PreviewedRecurring = {
  readonly timezone: string;
  readonly occurrences: readonly ComingOccurrence[];
  readonly hasMore: boolean;
};

export async function previewRecurring(
  deps: Deps,
  caller: TenantCaller,
  { count, from, to, ...name }: PreviewRecurring,
): Promise<Result<PreviewedRecurring>> {
  const read = await readRecurring(deps, caller, name);
  if (!read.ok) return read;
  const { timezone } = read.value.spec.rule;
  const start = from ?? deps.now();
  if (to !== null) {
    const found = occurrencesFromTo(read.value, start, to, count ?? RECURRING_PREVIEW_MAX);
    return accept({ timezone, ...found });
  }
  const most = count ?? recurringDefaults.previewed;
  const found = comingOccurrences(read.value, start - (from === null ? 0 : 1), most + 1);
  return accept({ timezone, occurrences: found.slice(0, most), hasMore: found.length > most });
}

export type DeleteRecurring = RecurringName & {
  /** The client's Idempotency-Key: a repeated deletion then gets the answer of the first one. */
  readonly key: string | null;
  readonly reason: string | null;
};

/** Returns the recurring action that a deletion would delete. */
export async function findDeletable(
  deps: Deps,
  { tenant }: TenantCaller,
  { id, namespace, language }: ReadRecurring,
): Promise<Result<WithWork<ListedRecurring>>> {
  const row = await findRecurring(deps.db, tenant, id);
  if (row === null || row.deletedAt !== null || !isInNamespace(row, namespace)) return refuse(noRecurring);
  const item = recurringListItem(row, deps.now(), language);
  return accept((await openWork(deps, tenant, [item]))(item));
}

export async function deleteRecurring(
  deps: Deps,
  caller: TenantCaller,
  { key, reason, ...name }: DeleteRecurring,
): Promise<Result<null>> {
  const { tenant } = caller;
  const row = await findRecurring(deps.db, tenant, name.id);
  if (row === null || !isInNamespace(row, name.namespace)) return refuse(noRecurring);
  if (row.deletedAt !== null) return key === null ? refuse(noRecurring) : accept(null);
  const details = auditDetails(row.spec, row.status === "active");
  const audit = auditRow(deps, caller, "recurring.delete", name.id, reason, details);
  if (!(await mark(deps.db, row, deps.now(), audit))) return refuse(noRecurring);
  deps.log({ level: "info", event: "recurring.delete", tenant, recurring: name.id });
  await recurringObject(deps, tenant, name.id)
    .drop()
    .catch((cause: unknown) => {
      deps.log({ level: "error", event: "recurring.not_dropped", tenant, recurring: name.id, message: String(cause) });
    });
  return accept(null);
}
