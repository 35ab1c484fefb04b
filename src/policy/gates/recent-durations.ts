// Decides from recent durations whether an action is slow. Its timeout does not show this, because the timeout is only
// an upper limit.
import { SLOW_LATELY_FROM, SLOW_LATELY_MS, SLOW_LATELY_WEIGHT } from "#schema/limits/run-attempts.ts";

export type RecentDurations = {
  /** The share of recent attempts that took long, from 0 to 1. Later attempts have more weight. */
  readonly longShare: number;
  /** When the latest attempt ended, in epoch ms. */
  readonly latestAt: number;
};

/** Adds an attempt. `isLong`: true if it took so long that it could delay other actions in the same queue. */
export function afterAttempt(before: RecentDurations | undefined, isLong: boolean, now: number): RecentDurations {
  const latest = isLong ? 1 : 0;
  const isRecent = before !== undefined && now < before.latestAt + SLOW_LATELY_MS;
  const longShare = isRecent ? before.longShare + SLOW_LATELY_WEIGHT * (latest - before.longShare) : latest;
  return { longShare, latestAt: now };
}

/** Returns whether most of the recent attempts took long. */
export function isSlowLately(recent: RecentDurations | undefined, now: number): boolean {
  return recent !== undefined && now < recent.latestAt + SLOW_LATELY_MS && recent.longShare >= SLOW_LATELY_FROM;
}
