// Dead letter groups: groups dead letters with the same cause, definition and action.
import { groupDeadLetters as group } from "#catalog/dead-letters.ts";
import type { DeadLetterFilters, DeadLetterGroup } from "#schema/dead-letter-filter.ts";
import { COUNT_ROWS_READ_MAX, DEAD_LETTER_GROUPS_MAX } from "#schema/limits/api-requests.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";

/** `exact`: all matching dead letters were read, and all groups are listed. */
export type DeadLetterGroups = { readonly groups: readonly DeadLetterGroup[]; readonly exact: boolean };

export async function groupDeadLetters(
  { db }: Deps,
  { tenant }: TenantCaller,
  filters: DeadLetterFilters,
): Promise<Result<DeadLetterGroups>> {
  const groups = await group(db, tenant, filters);
  const read = groups.reduce((sum, { count }) => sum + count, 0);
  const exact = read < COUNT_ROWS_READ_MAX && groups.length <= DEAD_LETTER_GROUPS_MAX;
  return accept({ groups: groups.slice(0, DEAD_LETTER_GROUPS_MAX), exact });
}
