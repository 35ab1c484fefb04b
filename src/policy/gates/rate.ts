// The rate limit of a connection: a token bucket, stored as one instant (GCRA), and a queue of return times. The bucket
// alone admits calls; the queue only spreads the return times. In any span of t milliseconds at most burst + t * calls
// / perMs calls are admitted.
import type { RateTerms } from "#schema/gate.ts";
import {
  PAUSED_RETURN_GAP_MS,
  PAUSE_MS_MAX,
  WAIT_IN_PLACE_MS,
  WAIT_QUEUE_ABANDONED_MS,
  WAIT_QUEUE_ABANDONED_TURNS,
} from "#schema/limits/outgoing/connection-limits.ts";

export type Rate = {
  /** When the bucket will be full again, in epoch ms. */
  readonly fullAt: number;
  /** The return time of the next new call that must wait, in epoch ms. */
  readonly lineAt: number;
  /**
   * The return time of the next call that returned on time and found the bucket empty. Such calls wait before new ones.
   */
  readonly frontAt: number;
  /** The return time of the next such call with a wait so short that it waits in place; absent before the first. */
  readonly hereAt?: number;
  /** When the last call was admitted, in epoch ms. */
  readonly wentAt: number;
  /** When the pause requested by the provider ends, in epoch ms. */
  readonly pausedUntil: number;
};

/** `until`: when the call should return, in epoch ms; null if it is admitted. */
export type RateResult = { readonly rate: Rate; readonly until: number | null };

export const emptyRate: Rate = { fullAt: 0, lineAt: 0, frontAt: 0, wentAt: 0, pausedUntil: 0 };

/** Admits a call or returns its return time. `until` is null if the call may start now. */
export function admitOrDefer(rate: Rate, terms: RateTerms | null, promisedAt: number | null, now: number): RateResult {
  const intervalMs = terms === null ? PAUSED_RETURN_GAP_MS : terms.perMs / terms.calls;
  const freeAt = admitsFrom(rate, terms);
  const isOnTime = promisedAt !== null && promisedAt <= now;
  const queueEnd = isAbandoned(rate, intervalMs, now) ? now : rate.lineAt;
  if (freeAt <= now && (isOnTime || queueEnd <= now)) {
    const fullAt = terms === null ? rate.fullAt : Math.max(rate.fullAt, now) + intervalMs;
    return { rate: { ...rate, fullAt, lineAt: queueEnd, wentAt: now }, until: null };
  }
  // A call that returns early keeps its return time.
  if (promisedAt !== null && promisedAt > now && promisedAt >= freeAt) return { rate, until: promisedAt };
  if (isOnTime) return queueInFront(rate, freeAt, intervalMs, now);
  const until = Math.ceil(Math.max(freeAt, queueEnd, now + 1));
  return { rate: { ...rate, lineAt: until + intervalMs }, until };
}

/**
 * Returns a return time before the queue, for a call that returned on time. A short wait is spent in place, because an
 * unused place is lost. Otherwise late calls would lose every second place.
 */
function queueInFront(rate: Rate, freeAt: number, intervalMs: number, now: number): RateResult {
  const hereAt = Math.ceil(Math.max(freeAt, rate.hereAt ?? 0, now + 1));
  if (hereAt - now <= WAIT_IN_PLACE_MS) return { rate: { ...rate, hereAt: hereAt + intervalMs }, until: hereAt };
  const until = Math.ceil(Math.max(hereAt, rate.frontAt));
  return { rate: { ...rate, frontAt: until + intervalMs }, until };
}

/** Records a pause that the provider requested, up to a maximum. */
export function pauseFor(rate: Rate, retryAfterMs: number, now: number): Rate {
  return { ...rate, pausedUntil: Math.max(rate.pausedUntil, now + Math.min(retryAfterMs, PAUSE_MS_MAX)) };
}

export function isPaused({ pausedUntil }: Rate, now: number): boolean {
  return pausedUntil > now;
}

/** Returns the earliest instant at which the bucket and the pause admit a call. */
export function admitsFrom(rate: Rate, terms: RateTerms | null): number {
  if (terms === null) return rate.pausedUntil;
  const burstMs = (terms.burst - 1) * (terms.perMs / terms.calls);
  return Math.max(rate.fullAt - burstMs, rate.pausedUntil);
}

/** Returns whether no call was admitted for so long that the return times in the queue are void. */
function isAbandoned({ wentAt, pausedUntil }: Rate, intervalMs: number, now: number): boolean {
  return (
    now - Math.max(wentAt, pausedUntil) > Math.max(WAIT_QUEUE_ABANDONED_MS, WAIT_QUEUE_ABANDONED_TURNS * intervalMs)
  );
}

/** Shifts all instants, after the clock was set back. */
export function shiftRate(rate: Rate, byMs: number): Rate {
  const hereAt = rate.hereAt === undefined ? {} : { hereAt: rate.hereAt + byMs };
  return {
    fullAt: rate.fullAt + byMs,
    lineAt: rate.lineAt + byMs,
    frontAt: rate.frontAt + byMs,
    ...hereAt,
    wentAt: rate.wentAt + byMs,
    pausedUntil: rate.pausedUntil + byMs,
  };
}
