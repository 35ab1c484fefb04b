// Orders reports about an execution, because a report may arrive late.
import type { Member } from "#schema/directory/calls.ts";

/** Returns whether the report replaces the stored one: a later incarnation wins, then the later step. */
export function isNewerReport(told: Member, known: Member | null): boolean {
  if (known === null || told.incarnation !== known.incarnation)
    return known === null || told.incarnation > known.incarnation;
  return told.since > known.since;
}
