// Quiet hours before an attempt: selects the tenant's policies that may hold the run. The execution then decides until
// when, because it knows the run's time zone and when the run expires.
import { nextOpening } from "#kernel/calendar/opening-hours.ts";
import type { AttemptLimits } from "#kernel/virtual/virtual-run.ts";
import type { Run } from "#schema/engine/run.ts";
import { versionsOf, type QuietHours, type TenantPolicy } from "#schema/policies/policy.ts";

/**
 * Returns the policies that the execution must decide about; empty if the attempt may start. A window with a fixed zone
 * that is open now needs no decision.
 */
export function pendingQuietHours(
  policies: readonly TenantPolicy[],
  { type, quietHours: passed }: Pick<Run, "type" | "quietHours">,
  now: number,
): readonly QuietHours[] {
  if (policies.length === 0 || passed === "ignore") return [];
  const mine = policies.filter(({ types }) => types.includes(type));
  if (passed !== undefined && passed.policies === versionsOf(mine) && now < passed.until) return [];
  if (mine.every((policy) => isOpen(policy, now))) return [];
  return mine.map(({ name, updatedAt, window }) => ({ name, updatedAt, window }));
}

/** The limit of quiet hours in a virtual run. */
export function quietHoursLimit(policies: readonly TenantPolicy[]): AttemptLimits {
  return ({ run, at }) => {
    const pending = pendingQuietHours(policies, run, at);
    if (pending.length === 0) return null;
    return { held: { reason: "quiet_hours", until: at, connection: null }, quietHours: [...pending] };
  };
}

function isOpen({ window }: TenantPolicy, now: number): boolean {
  if (typeof window.timezone !== "string") return false;
  const opening = nextOpening(window, window.timezone, now);
  return opening !== null && opening.opens <= now;
}
