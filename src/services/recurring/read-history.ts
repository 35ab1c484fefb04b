// What came of a recurring action's occurrences, newest first, as its object remembers them.
import { decodeCursor, encodeCursor } from "#catalog/page.ts";
import type { OccurrenceRow } from "#schema/recurring/state.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { z } from "zod";
import { reach } from "../cells/reach.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { noRecurring, readRecurring, recurringObject, type RecurringName } from "./recurring-view.ts";

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
  const page = await reach(() => object.history(limit, before.value), "recurring action");
  if (!page.ok) return page;
  if (page.value === null) return refuse(noRecurring);
  const { data, next } = page.value;
  return accept({ data, nextCursor: next === null ? null : encodeCursor(next) });
}
