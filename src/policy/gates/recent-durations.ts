// Decides from recent durations whether an action is slow. The action's timeout is only an upper limit of its duration.
import { SLOW_LATELY_FROM, SLOW_LATELY_MS, SLOW_LATELY_WEIGHT } from "#schema/limits/run-attempts.ts";

export type RecentDurations = {
  /** The share of attempts that took long, from 0 to 1. The latest attempts have the greatest weight. */
  readonly longShare: number;
  /** When the latest attempt ended, in epoch ms. */
  readonly latestAt: number;
};

/** Adds an attempt. `isLong`: whether it took long enough to delay other actions of its queue. */
export function afterAttempt(before: RecentDurations | undefined, isLong: boolean, now: number): RecentDurations {
  const latest = isLong ? 1 : 0;
  const isRecent = before !== undefined && now < before.latestAt + SLOW_LATELY_MS;
  const longShare = isRecent ? before.longShare + SLOW_LATELY_WEIGHT * (latest - before.longShare) : latest;
  return { longShare, latestAt: now };
}

/** Returns whether most recent attempts took long. */
export function isSlowLately(recent: RecentDurations | undefined, now: number): boolean {
  return recent !== undefined && now < recent.latestAt + SLOW_LATELY_MS && recent.longShare >= SLOW_LATELY_FROM;
}
