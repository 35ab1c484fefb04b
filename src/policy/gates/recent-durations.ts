// Recent durations of an action: decides whether it is slow. Its timeout is only an upper limit.
import { SLOW_LATELY_FROM, SLOW_LATELY_MS, SLOW_LATELY_WEIGHT } from "#schema/limits/queues.ts";

export type RecentDurations = {
  /** The share of its attempts that took long; the latest count most. */
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
