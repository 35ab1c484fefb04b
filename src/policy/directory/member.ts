// Which word of an execution counts, where several come and some of them late.
import type { Member } from "#schema/directory/calls.ts";

/** The later life of an id, and in one life the later step. */
export function outdates(told: Member, known: Member | null): boolean {
  if (known === null || told.incarnation !== known.incarnation)
    return known === null || told.incarnation > known.incarnation;
  return told.since > known.since;
}
