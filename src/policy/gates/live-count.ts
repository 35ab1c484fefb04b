// The number of live executions of a tenant. Starts are counted as they are reported; ends are not, because lists have
// them: now and then the number is counted there, and recent starts that lists may lack are added. So lost or repeated
// reports cause no lasting error.
import {
  LIVE_BELIEVED_MS,
  LIVE_COUNT_MS,
  LIVE_COUNT_SHARE,
  LIVE_MARK_APART_MS as MARK_APART_MS,
  LIVE_MARKS_KEPT_MS as MARKS_KEPT_MS,
} from "#schema/limits/tenant-quotas.ts";
import type { Report } from "#schema/quota.ts";

/** The total of starts at that instant. */
type Mark = { readonly at: number; readonly total: number };

export type LiveCount = {
  readonly counted: number;
  /** null: never counted. */
  readonly countedAt: number | null;
  /** When the first start was reported. */
  readonly openedAt: number | null;
  /** Starts that the latest count cannot miss. */
  readonly base: number;
  readonly total: number;
  /** One mark per recent second. */
  readonly marks: readonly Mark[];
  /** When an isolate was last asked to count. */
  readonly askedAt: number | null;
};

export const nothingLive: LiveCount = {
  counted: 0,
  countedAt: null,
  openedAt: null,
  base: 0,
  total: 0,
  marks: [],
  askedAt: null,
};

export function countStarts(live: LiveCount, count: number, now: number): LiveCount {
  const last = live.marks.at(-1);
  const total = live.total + count;
  const marks = live.marks.filter(({ at }) => at > now - MARKS_KEPT_MS);
  // A mark has the total before it, because a reported start may have happened at any time since.
  if (last === undefined || last.at <= now - MARK_APART_MS) marks.push({ at: now, total: live.total });
  return { ...live, openedAt: live.openedAt ?? now, total, marks };
}

/** `counted` includes all starts before its instant, and ends of later ones, which are subtracted. */
export function countIn(live: LiveCount, counted: Report["counted"]): LiveCount {
  if (counted === undefined || counted.at <= (live.countedAt ?? 0)) return live;
  const seen = live.marks.findLast(({ at }) => at <= counted.at) ?? live.marks[0];
  return { ...live, counted: counted.live, countedAt: counted.at, base: seen?.total ?? live.total };
}

export function liveOf({ counted, base, total }: LiveCount): number {
  return Math.max(0, counted + total - base);
}

/** Before the first count the reported starts are used, for as long as a count would be valid. */
export function isCountValid({ countedAt, openedAt }: LiveCount, now: number): boolean {
  return (countedAt ?? openedAt ?? now) > now - LIVE_BELIEVED_MS;
}

/** Always true for the first time, because executions may exist that were never counted. */
export function wantsCount(live: LiveCount, used: number, max: number, now: number): boolean {
  if (live.askedAt !== null && live.askedAt > now - LIVE_COUNT_MS) return false;
  return live.countedAt === null || used >= max * LIVE_COUNT_SHARE;
}
