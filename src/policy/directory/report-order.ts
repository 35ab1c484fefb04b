// Orders reports about an execution, because a report may arrive late.
import type { KeyRegistration } from "#schema/directory/calls.ts";

/** Returns whether the report replaces the stored one: a later incarnation wins, then the later step. */
export function isNewerReport(report: KeyRegistration, stored: KeyRegistration | null): boolean {
  if (stored === null || report.incarnation !== stored.incarnation)
    return stored === null || report.incarnation > stored.incarnation;
  return report.since > stored.since;
}
