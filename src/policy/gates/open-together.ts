// Openings of policies: finds a policy that closes its action types forever, alone or together with other policies.
import { nextCommonOpening } from "#kernel/calendar/common-opening.ts";
import { zoneRuleOf } from "#schema/definition/timing.ts";
import type { Window } from "#schema/definition/window.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";

type Hours = Pick<TenantPolicy, "name" | "types" | "window">;

/**
 * Returns an action type that the policy would close forever; null if there is none. A rule counts with its fallback, or
 * with UTC, because its result differs between executions.
 */
export function typeNeverOpen(policy: Hours, others: readonly Hours[], now: number): string | null {
  const isNeverOpen = (type: string): boolean => {
    const same = others.filter(({ name, types }) => name !== policy.name && types.some((each) => each === type));
    const windows = [policy, ...same].map(({ window }) => ({ window, zone: usualZone(window) }));
    return nextCommonOpening(windows, now) === null;
  };
  return policy.types.find(isNeverOpen) ?? null;
}

function usualZone({ timezone }: Window): string {
  if (timezone === undefined) return "UTC";
  return typeof timezone === "string" ? timezone : (zoneRuleOf(timezone).fallback ?? "UTC");
}
