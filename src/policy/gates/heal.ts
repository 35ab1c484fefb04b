// Auto-retry after recovery: decides when failures of a provider are retried. Its breaker must have closed, and stayed
// closed for a while. Each time that it reopens too soon doubles that time, so that a flapping provider causes no
// burst.
import type { BreakerTerms, HealAnswer, HealAsk } from "#schema/gate.ts";
import { SELF_HEAL_AGAIN_MS, SELF_HEAL_CALM_MS, SELF_HEAL_QUIET_MS } from "#schema/limits/outgoing-calls.ts";
import type { Breaker } from "./breaker.ts";

export type AutoRetry = {
  /** Start of an outage that has not been handled; null if there is none. */
  readonly since: number | null;
  /** The quiet time, a setting of the connection. */
  readonly quietMs: number;
  /** When the breaker last closed. */
  readonly closedAt: number | null;
  /** How often it has reopened too soon. */
  readonly flaps: number;
  /** When a retry operation was last started. */
  readonly begunAt: number | null;
  /** Not before this time, because starting failed. */
  readonly notBefore: number;
  /** The last operation, and the start of the outage that it covers. */
  readonly last: HealAsk["last"];
};

export const noAutoRetry: AutoRetry = {
  since: null,
  quietMs: SELF_HEAL_QUIET_MS.usual,
  closedAt: null,
  flaps: 0,
  begunAt: null,
  notBefore: 0,
  last: null,
};

/** Records a change of the breaker. */
export function breakerTurned(
  healing: AutoRetry,
  [before, after]: readonly [before: Breaker["kind"], after: Breaker["kind"]],
  terms: { readonly breaker: BreakerTerms | null; readonly quietMs?: number | undefined },
  now: number,
): AutoRetry {
  if (before === after) return healing;
  if (after === "closed") return healing.since === null ? healing : { ...healing, closedAt: now };
  if (after !== "open") return healing;
  const quietMs = terms.quietMs ?? SELF_HEAL_QUIET_MS.usual;
  const begun = healing.since === null ? outage(healing, terms.breaker?.windowMs ?? 0, now) : healing;
  // Reopened before the quiet time was over.
  const isFlap = healing.since !== null && before === "closed";
  return { ...begun, quietMs, closedAt: null, flaps: begun.flaps + (isFlap ? 1 : 0) };
}

/** The calls that opened the breaker failed before it opened. */
function outage(healing: AutoRetry, windowMs: number, now: number): AutoRetry {
  const isSoon = healing.begunAt !== null && now - healing.begunAt < SELF_HEAL_CALM_MS;
  return { ...healing, since: now - windowMs, flaps: isSoon ? healing.flaps + 1 : 0, notBefore: 0 };
}

/** null if not now. */
export function autoRetryDueAt(
  { since, closedAt, quietMs, flaps, notBefore }: AutoRetry,
  breaker: Breaker,
): number | null {
  const from = closedAt ?? askableFrom(breaker);
  if (since === null || from === null) return null;
  const waitMs = Math.min(SELF_HEAL_QUIET_MS.most, quietMs * 2 ** flaps);
  return Math.max(from + waitMs, notBefore);
}

/** If no call asks for the provider's state, the retries themselves are the probe. */
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

/** Records the result of starting the operation. */
export function noteAutoRetry(healing: AutoRetry, asked: number, answer: HealAnswer, now: number): AutoRetry {
  // Another outage has started meanwhile, and is still to be handled.
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
