// What a connection's settings come to for its gate, with every question answered; null where it needs none. And what they say of dead
// letters that go out again by themselves.
import { findConnection } from "#catalog/connections.ts";
import type { ConnectionSettings } from "#schema/connection.ts";
import type { BreakerTerms, RateTerms, Terms } from "#schema/gate.ts";
import { defaults } from "#schema/defaults.ts";
import { SELF_HEAL_TIMES } from "#schema/limits/outgoing-calls.ts";
import type { Deps } from "../deps.ts";

export function termsOf({ rateLimit, concurrency, breaker, selfHeal }: ConnectionSettings): Terms {
  return {
    rate: rateLimit === undefined ? null : rateOf(rateLimit),
    concurrency: concurrency ?? null,
    breaker: breaker === undefined ? null : breakerOf(breaker),
    ...(selfHeal?.quietMs === undefined ? {} : { quietMs: selfHeal.quietMs }),
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

/** `times`: null where it leaves that to actions. */
export type SelfHealTerms = { readonly name: string; readonly times: number | null; readonly perSecond: number };

/** null: there is no such connection any more. */
export async function selfHealTerms(
  { db }: Pick<Deps, "db">,
  tenant: string,
  connection: string,
): Promise<SelfHealTerms | null> {
  const row = await findConnection(db, tenant, connection);
  if (row === null) return null;
  const { selfHeal } = row.settings;
  const times = selfHeal === undefined ? null : (selfHeal.times ?? SELF_HEAL_TIMES);
  return { name: row.name, times, perSecond: selfHeal?.perSecond ?? defaults.healedPerSecond };
}

/** Its breaker is open: nobody gets through, and it is not time yet to ask whether the provider is back. */
export async function isCutOff(
  { db, gate }: Pick<Deps, "db" | "gate">,
  tenant: string,
  connection: string,
): Promise<boolean> {
  const row = await findConnection(db, tenant, connection);
  if (row === null) return false;
  const { breaker } = await gate(`${tenant}/${connection}`).read(termsOf(row.settings));
  return breaker.status === "open";
}
