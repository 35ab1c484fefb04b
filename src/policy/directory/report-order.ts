// Orders reports about an execution, because a report may arrive late.
import type { KeyRegistration } from "#schema/directory/calls.ts";

/** Returns whether the report replaces the stored one: a later incarnation wins, then the later step. */
export function isNewerReport(told: KeyRegistration, known: KeyRegistration | null): boolean {
  if (known === null || told.incarnation !== known.incarnation)
    return known === null || told.incarnation > known.incarnation;
  return told.since > known.since;
}
