// Estimates the number of a tenant's live executions. Starts are counted as isolates report them. Ends are not
// reported: the catalog is counted from time to time, and later starts are added. So lost or repeated reports cause no
// lasting error.
import {
  LIVE_COUNT_MS,
  LIVE_COUNT_SHARE,
  LIVE_COUNT_VALID_MS,
  LIVE_MARKS_KEPT_MS,
  LIVE_MARK_GAP_MS,
} from "#schema/limits/tenants/used-quotas.ts";
import type { Report } from "#schema/quota.ts";

/** The total number of reported starts before an instant. */
type Mark = { readonly at: number; readonly total: number };

export type LiveCount = {
  /** The number of live executions at the latest count. */
  readonly counted: number;
  /** When the catalog was last counted, in epoch ms; null if never. */
  readonly countedAt: number | null;
  /** When the first start was reported, in epoch ms; null if none was. */
  readonly openedAt: number | null;
  /** The number of reported starts that the latest count includes. */
  readonly base: number;
  /** The total number of reported starts. */
  readonly total: number;
  /** The marks of recent starts, at most one per second. */
  readonly marks: readonly Mark[];
  /** When an isolate was last requested to count, in epoch ms; null if never. */
  readonly askedAt: number | null;
};

/** The state of a tenant without executions. */
export const noLiveCount: LiveCount = {
  counted: 0,
  countedAt: null,
  openedAt: null,
  base: 0,
  total: 0,
  marks: [],
  askedAt: null,
};

/** Adds starts that an isolate has reported. */
export function countStarts(live: LiveCount, count: number, now: number): LiveCount {
  const last = live.marks.at(-1);
  const total = live.total + count;
  const marks = live.marks.filter(({ at }) => at > now - LIVE_MARKS_KEPT_MS);
  // A mark stores the total before the report, because the reported starts may have happened at any time since the last
  // report.
  if (last === undefined || last.at <= now - LIVE_MARK_GAP_MS) marks.push({ at: now, total: live.total });
  return { ...live, openedAt: live.openedAt ?? now, total, marks };
}

/** Applies a count of the catalog. Starts reported before the count's instant are included in the count. */
export function applyCount(live: LiveCount, counted: Report["counted"]): LiveCount {
  if (counted === undefined || counted.at <= (live.countedAt ?? 0)) return live;
  const mark = live.marks.findLast(({ at }) => at <= counted.at) ?? live.marks[0];
  return { ...live, counted: counted.live, countedAt: counted.at, base: mark?.total ?? live.total };
}

/** Estimates the number of live executions: the latest count plus the starts reported since. */
export function estimateLive({ counted, base, total }: LiveCount): number {
  return Math.max(0, counted + total - base);
}

/** Returns whether the estimate is reliable: the last count, or without one the first report, is recent enough. */
export function isCountValid({ countedAt, openedAt }: LiveCount, now: number): boolean {
  return (countedAt ?? openedAt ?? now) > now - LIVE_COUNT_VALID_MS;
}

/** Returns whether an isolate should count now: before the first count, or when most of the quota is used. */
export function isCountDue(live: LiveCount, used: number, max: number, now: number): boolean {
  if (live.askedAt !== null && live.askedAt > now - LIVE_COUNT_MS) return false;
  return live.countedAt === null || used >= max * LIVE_COUNT_SHARE;
}
