// The rate limit of a connection: a token bucket, stored as one instant (GCRA), and a queue of return times. Only the
// bucket admits calls; the queue spreads the instants at which held calls return. In any t milliseconds at most burst +
// t * calls / perMs calls are admitted.
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
  /** The return time that the next new call gets if it must wait, in epoch ms. */
  readonly lineAt: number;
  /**
   * The return time for the next call that has returned on time and found the bucket empty. Such a call waits before
   * all new calls.
   */
  readonly frontAt: number;
  /**
   * Like `frontAt`, for calls whose wait is so short that they are not sent back; absent before the first such call.
   */
  readonly hereAt?: number;
  /** When the last call was admitted, in epoch ms. */
  readonly wentAt: number;
  /** When the pause that the provider has requested ends, in epoch ms. */
  readonly pausedUntil: number;
};

/** `until`: when the call should return, in epoch ms; null if the call is admitted. */
export type RateResult = { readonly rate: Rate; readonly until: number | null };

export const emptyRate: Rate = { fullAt: 0, lineAt: 0, frontAt: 0, wentAt: 0, pausedUntil: 0 };

/** Admits a call, or returns the instant at which it should return. `until` is null if the call may start now. */
export function admitOrDefer(rate: Rate, terms: RateTerms | null, promisedAt: number | null, now: number): RateResult {
  const intervalMs = terms === null ? PAUSED_RETURN_GAP_MS : terms.perMs / terms.calls;
  const freeAt = admitsFrom(rate, terms);
  const isOnTime = promisedAt !== null && promisedAt <= now;
  const queueEnd = isAbandoned(rate, intervalMs, now) ? now : rate.lineAt;
  if (freeAt <= now && (isOnTime || queueEnd <= now)) {
    const fullAt = terms === null ? rate.fullAt : Math.max(rate.fullAt, now) + intervalMs;
    return { rate: { ...rate, fullAt, lineAt: queueEnd, wentAt: now }, until: null };
  }
  // A call that returns too early keeps the return time that it was given.
  if (promisedAt !== null && promisedAt > now && promisedAt >= freeAt) return { rate, until: promisedAt };
  if (isOnTime) return queueInFront(rate, freeAt, intervalMs, now);
  const until = Math.ceil(Math.max(freeAt, queueEnd, now + 1));
  return { rate: { ...rate, lineAt: until + intervalMs }, until };
}

/**
 * Returns a return time before the queue, for a call that has returned on time. A short wait is spent without sending
 * the call back, because a place that a late call leaves unused is lost. Otherwise late calls would lose every second
 * place.
 */
function queueInFront(rate: Rate, freeAt: number, intervalMs: number, now: number): RateResult {
  const hereAt = Math.ceil(Math.max(freeAt, rate.hereAt ?? 0, now + 1));
  if (hereAt - now <= WAIT_IN_PLACE_MS) return { rate: { ...rate, hereAt: hereAt + intervalMs }, until: hereAt };
  const until = Math.ceil(Math.max(hereAt, rate.frontAt));
  return { rate: { ...rate, frontAt: until + intervalMs }, until };
}

/** Records the pause that the provider has requested, limited to a maximum. */
export function pauseFor(rate: Rate, retryAfterMs: number, now: number): Rate {
  return { ...rate, pausedUntil: Math.max(rate.pausedUntil, now + Math.min(retryAfterMs, PAUSE_MS_MAX)) };
}

export function isPaused({ pausedUntil }: Rate, now: number): boolean {
  return pausedUntil > now;
}

/** Returns the earliest instant at which neither the bucket nor the pause holds a call. */
export function admitsFrom(rate: Rate, terms: RateTerms | null): number {
  if (terms === null) return rate.pausedUntil;
  const burstMs = (terms.burst - 1) * (terms.perMs / terms.calls);
  return Math.max(rate.fullAt - burstMs, rate.pausedUntil);
}

/** Returns how many calls the bucket admits at this instant. */
export function admissibleNow(rate: Rate, terms: RateTerms, now: number): number {
  const freeAt = admitsFrom({ ...rate, fullAt: Math.max(rate.fullAt, now) }, terms);
  return Math.max(0, Math.floor((now - freeAt) / (terms.perMs / terms.calls) + ROUNDING) + 1);
}

/** Instants are sums of fractions, so a call that the bucket admits exactly now must not be lost by rounding. */
const ROUNDING = 1e-6;

/** Returns how many calls have been given a return time in the queue, and are expected at it. */
export function waitingForRate(rate: Rate, terms: RateTerms | null, now: number): number {
  const intervalMs = terms === null ? PAUSED_RETURN_GAP_MS : terms.perMs / terms.calls;
  if (isAbandoned(rate, intervalMs, now)) return 0;
  const from = Math.max(admitsFrom(rate, terms), now);
  return Math.max(0, Math.round((rate.lineAt - from) / intervalMs));
}

/** Returns whether no call was admitted for a long time. The return times in the queue are then no longer valid. */
function isAbandoned({ wentAt, pausedUntil }: Rate, intervalMs: number, now: number): boolean {
  return (
    now - Math.max(wentAt, pausedUntil) > Math.max(WAIT_QUEUE_ABANDONED_MS, WAIT_QUEUE_ABANDONED_TURNS * intervalMs)
  );
}

/** Shifts all stored instants. Called when the clock was set back. */
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
