// What a connection's settings come to for its gate, with every question answered; null where it needs none.
import type { ConnectionSettings } from "#schema/connection.ts";
import type { BreakerTerms, RateTerms, Terms } from "#schema/gate.ts";
import { defaults } from "#schema/defaults.ts";

export function termsOf({ rateLimit, concurrency, breaker }: ConnectionSettings): Terms {
  return {
    rate: rateLimit === undefined ? null : rateOf(rateLimit),
    concurrency: concurrency ?? null,
    breaker: breaker === undefined ? null : breakerOf(breaker),
  };
}

/** Where there are none its object is asked now and then only, for what the provider itself has asked for. */
export function hasLimits({ rate, concurrency, breaker }: Terms): boolean {
  return rate !== null || concurrency !== null || breaker !== null;
}

function rateOf({
  perSecond,
  perMinute,
  burst = defaults.rateBurst,
}: NonNullable<ConnectionSettings["rateLimit"]>): RateTerms {
  // The schema asks for one of the two.
  return perSecond === undefined
    ? { calls: perMinute ?? 1, perMs: 60_000, burst }
    : { calls: perSecond, perMs: 1_000, burst };
}

function breakerOf(given: NonNullable<ConnectionSettings["breaker"]>): BreakerTerms {
  return {
    failureRatio: given.failureRatio ?? defaults.breaker.failureRatio,
    windowMs: given.windowMs ?? defaults.breaker.windowMs,
    minimumCalls: given.minimumCalls ?? defaults.breaker.minimumCalls,
    openMs: given.openMs ?? defaults.breaker.openMs,
    halfOpenProbes: given.halfOpenProbes ?? defaults.breaker.halfOpenProbes,
  };
}
