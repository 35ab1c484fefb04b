// When what failed with a provider goes out again by itself: its breaker has to have closed, and to stay closed for a while. Each time that
// it opens again meanwhile, or soon after, makes that twice as long, so that one which flaps sets off no storm.
import type { BreakerTerms, HealAnswer, HealAsk } from "#schema/gate.ts";
import { SELF_HEAL_AGAIN_MS, SELF_HEAL_CALM_MS, SELF_HEAL_QUIET_MS } from "#schema/limits/outgoing-calls.ts";
import type { Breaker } from "./breaker.ts";

export type Healing = {
  /** Since when its provider has been away, where nothing has been begun about that yet; null: it has not. */
  readonly since: number | null;
  /** How long it has to be quiet, as the connection says. */
  readonly quietMs: number;
  /** When the breaker closed, the last time since. */
  readonly closedAt: number | null;
  /** How often it has opened again too soon. */
  readonly flaps: number;
  /** When something was begun, the last time. */
  readonly begunAt: number | null;
  /** Not before that: it could not be begun. */
  readonly notBefore: number;
  /** The operation that was begun last, and since when what it is about has failed. */
  readonly last: HealAsk["last"];
};

export const noHealing: Healing = {
  since: null,
  quietMs: SELF_HEAL_QUIET_MS.usual,
  closedAt: null,
  flaps: 0,
  begunAt: null,
  notBefore: 0,
  last: null,
};

/** What the breaker has done meanwhile. */
export function breakerTurned(
  healing: Healing,
  [before, after]: readonly [before: Breaker["kind"], after: Breaker["kind"]],
  terms: { readonly breaker: BreakerTerms | null; readonly quietMs?: number | undefined },
  now: number,
): Healing {
  if (before === after) return healing;
  if (after === "closed") return healing.since === null ? healing : { ...healing, closedAt: now };
  if (after !== "open") return healing;
  const quietMs = terms.quietMs ?? SELF_HEAL_QUIET_MS.usual;
  const begun = healing.since === null ? outage(healing, terms.breaker?.windowMs ?? 0, now) : healing;
  // Once more, before it had been quiet for long enough.
  const isFlap = healing.since !== null && before === "closed";
  return { ...begun, quietMs, closedAt: null, flaps: begun.flaps + (isFlap ? 1 : 0) };
}

/** The calls that opened it failed before it did. */
function outage(healing: Healing, windowMs: number, now: number): Healing {
  const isSoon = healing.begunAt !== null && now - healing.begunAt < SELF_HEAL_CALM_MS;
  return { ...healing, since: now - windowMs, flaps: isSoon ? healing.flaps + 1 : 0, notBefore: 0 };
}

/** null: not now. */
export function healDueAt({ since, closedAt, quietMs, flaps, notBefore }: Healing, breaker: Breaker): number | null {
  const from = closedAt ?? askableFrom(breaker);
  if (since === null || from === null) return null;
  const waitMs = Math.min(SELF_HEAL_QUIET_MS.most, quietMs * 2 ** flaps);
  return Math.max(from + waitMs, notBefore);
}

/** Where nobody comes any more to ask whether the provider is back, what goes out is the probe. */
function askableFrom(breaker: Breaker): number | null {
  switch (breaker.kind) {
    case "closed":
      return null;
    case "open":
      return breaker.until;
    case "half_open":
      return breaker.since ?? null;
  }
}

/** What came of beginning it. */
export function healBegun(healing: Healing, asked: number, answer: HealAnswer, now: number): Healing {
  // Another outage has begun meanwhile: that one is still to be dealt with.
  const since = healing.since === asked ? null : healing.since;
  switch (answer.kind) {
    case "busy":
      return { ...healing, notBefore: now + SELF_HEAL_AGAIN_MS };
    case "nothing":
      return { ...healing, since, closedAt: since === null ? null : healing.closedAt };
    case "begun": {
      const { operation } = answer;
      const last = { operation, since: answer.since };
      return { ...healing, since, closedAt: since === null ? null : healing.closedAt, begunAt: now, last };
    }
  }
}
