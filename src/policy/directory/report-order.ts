// Orders reports about an execution, because they may arrive in another order than they were sent.
import type { KeyRegistration } from "#schema/directory/calls.ts";

/**
 * Returns whether the report replaces the stored one: it has a later incarnation, or the same incarnation and a later
 * step.
 */
export function isNewerReport(report: KeyRegistration, stored: KeyRegistration | null): boolean {
  if (stored === null || report.incarnation !== stored.incarnation)
    return stored === null || report.incarnation > stored.incarnation;
  return report.since > stored.since;
}
