// Connection limits: converts a connection's settings to the limits of its gate, with all defaults. Also reads the
// settings for automatic retry of dead letters, and the state of the circuit breaker.
import { findConnection } from "#catalog/connections.ts";
import type { ConnectionSettings } from "#schema/connection.ts";
import type { BreakerLimits, RateTerms, ConnectionLimits } from "#schema/gate.ts";
import { defaults } from "#schema/defaults.ts";
import { AUTO_RETRIES } from "#schema/limits/run-attempts.ts";
import type { Deps } from "../deps.ts";

export function termsOf({ rateLimit, concurrency, breaker, selfHeal }: ConnectionSettings): ConnectionLimits {
  return {
    rate: rateLimit === undefined ? null : rateLimitOf(rateLimit),
    concurrency: concurrency ?? null,
    breaker: breaker === undefined ? null : breakerOf(breaker),
    ...(selfHeal?.quietMs === undefined ? {} : { quietMs: selfHeal.quietMs }),
  };
}

/**
 * True if the connection has a rate, a concurrency limit or a circuit breaker. The gate of a connection without them is
 * called only at intervals, to learn whether the provider has requested a pause.
 */
export function hasLimits({ rate, concurrency, breaker }: ConnectionLimits): boolean {
  return rate !== null || concurrency !== null || breaker !== null;
}

function rateLimitOf({
  perSecond,
  perMinute,
  burst = defaults.rateBurst,
}: NonNullable<ConnectionSettings["rateLimit"]>): RateTerms {
  // The schema requires exactly one of the two rates, so perMinute is set if perSecond is not.
  return perSecond === undefined
    ? { calls: perMinute ?? 1, perMs: 60_000, burst }
    : { calls: perSecond, perMs: 1_000, burst };
}

function breakerOf(settings: NonNullable<ConnectionSettings["breaker"]>): BreakerLimits {
  return {
    failureRatio: settings.failureRatio ?? defaults.breaker.failureRatio,
    windowMs: settings.windowMs ?? defaults.breaker.windowMs,
    minimumCalls: settings.minimumCalls ?? defaults.breaker.minimumCalls,
    openMs: settings.openMs ?? defaults.breaker.openMs,
    halfOpenProbes: settings.halfOpenProbes ?? defaults.breaker.halfOpenProbes,
  };
}

/**
 * The connection's settings for automatic retry. `times`: how often a dead letter is retried; null if each action's own
 * setting decides.
 */
export type AutoRetrySettings = { readonly name: string; readonly times: number | null; readonly perSecond: number };

/** Returns the settings for automatic retry. Returns null if the connection no longer exists. */
export async function autoRetrySettings(
  { db }: Pick<Deps, "db">,
  tenant: string,
  connection: string,
): Promise<AutoRetrySettings | null> {
  const row = await findConnection(db, tenant, connection);
  if (row === null) return null;
  const { selfHeal } = row.settings;
  const times = selfHeal === undefined ? null : (selfHeal.times ?? AUTO_RETRIES);
  return { name: row.name, times, perSecond: selfHeal?.perSecond ?? defaults.healedPerSecond };
}

/** True while the connection's circuit breaker lets no call pass and the time of its next probe call has not come. */
export async function isBreakerOpen(
  { db, gate }: Pick<Deps, "db" | "gate">,
  tenant: string,
  connection: string,
): Promise<boolean> {
  const row = await findConnection(db, tenant, connection);
  if (row === null) return false;
  const { breaker } = await gate(`${tenant}/${connection}`).read(termsOf(row.settings));
  return breaker.status === "open";
}
