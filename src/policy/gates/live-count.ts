// How many executions of a tenant have not ended. Starts are counted as they are told; ends are not, since lists know of
// them anyway: now and then they are asked for the number, and what may not have reached them yet is put on top. So
// nothing that is lost or comes twice adds up to a wrong number for good.
import {
  LIVE_BELIEVED_MS,
  LIVE_COUNT_MS,
  LIVE_COUNT_SHARE,
  LIVE_MARK_APART_MS as MARK_APART_MS,
  LIVE_MARKS_KEPT_MS as MARKS_KEPT_MS,
} from "#schema/limits/tenant-quotas.ts";
import type { Report } from "#schema/quota.ts";

/** So many had been started by then. */
type Mark = { readonly at: number; readonly total: number };

export type LiveCount = {
  readonly counted: number;
  /** null: never counted. */
  readonly countedAt: number | null;
  /** When the first start was told. */
  readonly openedAt: number | null;
  /** Started until what was counted could see no more of it. */
  readonly base: number;
  readonly total: number;
  /** Of the last seconds, one each. */
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

export function started(live: LiveCount, count: number, now: number): LiveCount {
  const last = live.marks.at(-1);
  const total = live.total + count;
  const marks = live.marks.filter(({ at }) => at > now - MARKS_KEPT_MS);
  // A mark says what was there before: what is told now may have been started at any time since.
  if (last === undefined || last.at <= now - MARK_APART_MS) marks.push({ at: now, total: live.total });
  return { ...live, openedAt: live.openedAt ?? now, total, marks };
}

/** `counted` knows all that was started before its instant, and what of the later ones has ended: those are taken off. */
export function countIn(live: LiveCount, counted: Report["counted"]): LiveCount {
  if (counted === undefined || counted.at <= (live.countedAt ?? 0)) return live;
  const seen = live.marks.findLast(({ at }) => at <= counted.at) ?? live.marks[0];
  return { ...live, counted: counted.live, countedAt: counted.at, base: seen?.total ?? live.total };
}

export function liveOf({ counted, base, total }: LiveCount): number {
  return Math.max(0, counted + total - base);
}

/** Before the first count there is what was told, for as long as a count would have been believed. */
export function believes({ countedAt, openedAt }: LiveCount, now: number): boolean {
  return (countedAt ?? openedAt ?? now) > now - LIVE_BELIEVED_MS;
}

/** The first time always: there may have been executions before anybody counted. */
export function wantsCount(live: LiveCount, used: number, max: number, now: number): boolean {
  if (live.askedAt !== null && live.askedAt > now - LIVE_COUNT_MS) return false;
  return live.countedAt === null || used >= max * LIVE_COUNT_SHARE;
}
