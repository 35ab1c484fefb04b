// Simulates a tenant's quotas in a forecast: the actions per day, and the actions in progress.
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import { HELD_FOR_IN_FLIGHT_MS } from "#schema/limits/tenants/used-quotas.ts";
import { windowEnd } from "../gates/quotas/quota.ts";

export type TenantQuotas = { readonly actionsPerDay: number; readonly inFlight: number };

/** Opens the gate. `weight`: the number of attempts that each simulated one represents. */
export function openTenantGate(quotas: TenantQuotas | null, weight: number) {
  const attemptEnds = openTurnQueue<number>();
  const days = new Map<number, number>();
  let inFlight = 0;
  const endAttempts = (now: number): void => {
    for (let endsAt = attemptEnds.takeFirst(); endsAt !== null; endsAt = attemptEnds.takeFirst()) {
      if (endsAt > now) return attemptEnds.put(endsAt, endsAt);
      inFlight -= 1;
    }
  };
  return {
    pass: (now: number): Hold | null => {
      if (quotas === null) return null;
      endAttempts(now);
      if (inFlight > 0 && (inFlight + 1) * weight > quotas.inFlight) return held(now + HELD_FOR_IN_FLIGHT_MS);
      const midnight = windowEnd("actionsPerDay", now);
      const used = days.get(midnight) ?? 0;
      if (used > 0 && (used + 1) * weight > quotas.actionsPerDay) return held(midnight);
      days.set(midnight, used + 1);
      return null;
    },
    /** Counts an admitted attempt as in progress until this instant. */
    start: (until: number): void => {
      inFlight += 1;
      attemptEnds.put(until, until);
    },
  };
}

function held(until: number): Hold {
  return { reason: "quota", until, connection: null };
}
