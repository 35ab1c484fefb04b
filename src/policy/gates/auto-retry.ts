// Auto-retry after recovery: decides when the dead letters of an outage are retried. The provider's breaker must first
// stay closed for a quiet time. If the breaker reopens within this time, the quiet time doubles. An unstable provider
// therefore receives no burst of retries.
import type { BreakerLimits, AutoRetryAnswer, AutoRetryRequest } from "#schema/gate.ts";
import { AUTO_RETRY_FLAPPING_MS, AUTO_RETRY_QUIET_MS, AUTO_RETRY_START_AGAIN_MS } from "#schema/limits/run-attempts.ts";
import type { Breaker } from "./breaker.ts";

export type AutoRetry = {
  /** When the outage began whose dead letters must still be retried, in epoch ms; null if there is none. */
  readonly since: number | null;
  /** The quiet time in milliseconds, a setting of the connection. */
  readonly quietMs: number;
  /** When the breaker last closed, in epoch ms; null if it is not closed. */
  readonly closedAt: number | null;
  /** How often the breaker has reopened within the quiet time. */
  readonly flaps: number;
  /** When a retry operation was last started, in epoch ms; null if never. */
  readonly begunAt: number | null;
  /** The retry operation is not started before this instant, because starting it has failed. */
  readonly notBefore: number;
  /** The last retry operation, and the instant at which its outage began. */
  readonly last: AutoRetryRequest["last"];
};

export const noAutoRetry: AutoRetry = {
  since: null,
  quietMs: AUTO_RETRY_QUIET_MS.usual,
  closedAt: null,
  flaps: 0,
  begunAt: null,
  notBefore: 0,
  last: null,
};

/** Records that the breaker has opened or closed. */
export function recordBreakerChange(
  autoRetry: AutoRetry,
  [before, after]: readonly [before: Breaker["kind"], after: Breaker["kind"]],
  settings: { readonly breaker: BreakerLimits | null; readonly quietMs?: number | undefined },
  now: number,
): AutoRetry {
  if (before === after) return autoRetry;
  if (after === "closed") return autoRetry.since === null ? autoRetry : { ...autoRetry, closedAt: now };
  if (after !== "open") return autoRetry;
  const quietMs = settings.quietMs ?? AUTO_RETRY_QUIET_MS.usual;
  const outage = autoRetry.since === null ? withOutage(autoRetry, settings.breaker?.windowMs ?? 0, now) : autoRetry;
  // The breaker has reopened before the quiet time was over.
  const isFlap = autoRetry.since !== null && before === "closed";
  return { ...outage, quietMs, closedAt: null, flaps: outage.flaps + (isFlap ? 1 : 0) };
}

/** Records a new outage. It began with the failed calls that opened the breaker, so before the breaker opened. */
function withOutage(autoRetry: AutoRetry, windowMs: number, now: number): AutoRetry {
  const isSoonAfterRetry = autoRetry.begunAt !== null && now - autoRetry.begunAt < AUTO_RETRY_FLAPPING_MS;
  return { ...autoRetry, since: now - windowMs, flaps: isSoonAfterRetry ? autoRetry.flaps + 1 : 0, notBefore: 0 };
}

/** Returns when the retry operation is due, in epoch ms; null if none is planned. */
export function autoRetryDueAt(
  { since, closedAt, quietMs, flaps, notBefore }: AutoRetry,
  breaker: Breaker,
): number | null {
  const from = closedAt ?? probesFrom(breaker);
  if (since === null || from === null) return null;
  const waitMs = Math.min(AUTO_RETRY_QUIET_MS.most, quietMs * 2 ** flaps);
  return Math.max(from + waitMs, notBefore);
}

/**
 * Returns when retries may serve as probes of the provider if no other call does. null if the breaker is closed,
 * because no probe is needed.
 */
function probesFrom(breaker: Breaker): number | null {
  switch (breaker.kind) {
    case "closed":
      return null;
    case "open":
      return breaker.until;
    case "half_open":
      return breaker.since ?? null;
  }
}

/**
 * Records the response to the start of the retry operation. `asked`: the beginning of the outage that the request
 * contained.
 */
export function recordAutoRetryAnswer(
  autoRetry: AutoRetry,
  asked: number,
  answer: AutoRetryAnswer,
  now: number,
): AutoRetry {
  // If another outage has begun since the request, its dead letters must still be retried.
  const since = autoRetry.since === asked ? null : autoRetry.since;
  const closedAt = since === null ? null : autoRetry.closedAt;
  switch (answer.kind) {
    case "busy":
      return { ...autoRetry, notBefore: now + AUTO_RETRY_START_AGAIN_MS };
    case "nothing":
      return { ...autoRetry, since, closedAt };
    case "begun": {
      const last = { operation: answer.operation, since: answer.since };
      return { ...autoRetry, since, closedAt, begunAt: now, last };
    }
  }
}
