// The order of reports about an execution: decides which one counts if several arrive, some of them late.
import type { Member } from "#schema/directory/calls.ts";

/** A later incarnation of an id wins, and in one incarnation the later step. */
export function outdates(told: Member, known: Member | null): boolean {
  if (known === null || told.incarnation !== known.incarnation)
    return known === null || told.incarnation > known.incarnation;
  return told.since > known.since;
}
