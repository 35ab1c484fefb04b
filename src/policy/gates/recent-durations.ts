// Decides from recent durations whether an action is slow. The action's timeout is only an upper limit of its duration.
import { SLOW_LATELY_FROM, SLOW_LATELY_MS, SLOW_LATELY_WEIGHT } from "#schema/limits/queues.ts";

export type RecentDurations = {
  /** The share of attempts that took long, from 0 to 1. The latest attempts have the greatest weight. */
  readonly longShare: number;
  readonly latestAt: number;
};

export function afterAttempt(before: RecentDurations | undefined, isLong: boolean, now: number): RecentDurations {
  const latest = isLong ? 1 : 0;
  const isKnown = before !== undefined && now < before.latestAt + SLOW_LATELY_MS;
  const longShare = isKnown ? before.longShare + SLOW_LATELY_WEIGHT * (latest - before.longShare) : latest;
  return { longShare, latestAt: now };
}

export function isSlowLately(recent: RecentDurations | undefined, now: number): boolean {
  return recent !== undefined && now < recent.latestAt + SLOW_LATELY_MS && recent.longShare >= SLOW_LATELY_FROM;
}
