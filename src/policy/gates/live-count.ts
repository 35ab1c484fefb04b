// Estimates how many live executions a tenant has. Isolates report starts but not ends. The live executions in the
// catalog are therefore counted at intervals, and later starts are added. A lost or repeated report is corrected by the
// next count.
import {
  LIVE_COUNT_MS,
  LIVE_COUNT_SHARE,
  LIVE_COUNT_VALID_MS,
  LIVE_MARKS_KEPT_MS,
  LIVE_MARK_GAP_MS,
} from "#schema/limits/tenants/used-quotas.ts";
import type { Report } from "#schema/quota.ts";

/** The total number of starts that were reported before an instant. */
type Mark = { readonly at: number; readonly total: number };

export type LiveCount = {
  /** The number of live executions at the latest count. */
  readonly counted: number;
  /** When the catalog was last counted, in epoch ms; null if never. */
  readonly countedAt: number | null;
  /** When the first start was reported, in epoch ms; null if none was. */
  readonly openedAt: number | null;
  /** How many of the reported starts the latest count already includes. */
  readonly base: number;
  /** The number of all starts that were reported so far. */
  readonly total: number;
  /** The marks of recent starts, at most one per second. */
  readonly marks: readonly Mark[];
  /** When an isolate was last asked to count the catalog, in epoch ms; null if never. */
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
  // The reported starts happened at some time since the previous report. The mark therefore stores the total without
  // them.
  if (last === undefined || last.at <= now - LIVE_MARK_GAP_MS) marks.push({ at: now, total: live.total });
  return { ...live, openedAt: live.openedAt ?? now, total, marks };
}

/** Applies a count of the catalog. Starts that were reported before the instant of the count are part of the count. */
export function applyCount(live: LiveCount, counted: Report["counted"]): LiveCount {
  if (counted === undefined || counted.at <= (live.countedAt ?? 0)) return live;
  const mark = live.marks.findLast(({ at }) => at <= counted.at) ?? live.marks[0];
  return { ...live, counted: counted.live, countedAt: counted.at, base: mark?.total ?? live.total };
}

/** Estimates the number of live executions: the latest count plus the starts reported since. */
export function estimateLive({ counted, base, total }: LiveCount): number {
  return Math.max(0, counted + total - base);
}

/**
 * Returns whether the estimate can be used: the last count is recent enough. Without a count, the first report must be
 * recent enough.
 */
export function isCountValid({ countedAt, openedAt }: LiveCount, now: number): boolean {
  return (countedAt ?? openedAt ?? now) > now - LIVE_COUNT_VALID_MS;
}

/** Returns whether an isolate should count the catalog now: there is no count yet, or most of the quota is used. */
export function isCountDue(live: LiveCount, used: number, max: number, now: number): boolean {
  if (live.askedAt !== null && live.askedAt > now - LIVE_COUNT_MS) return false;
  return live.countedAt === null || used >= max * LIVE_COUNT_SHARE;
}
