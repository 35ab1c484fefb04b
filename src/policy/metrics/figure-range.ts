// Range of a metrics query: the hours that it reads, and the range before with which it is compared.
import { HOUR_MS, HOURS_KEPT } from "#schema/limits/upkeep/statistics.ts";
import type { FigureSpan } from "#schema/metrics/query.ts";

type Asked = {
  readonly now: number;
  /** In epoch ms. Default: the last 24 hours. */
  readonly from: number | null;
  readonly to: number | null;
  readonly span: FigureSpan;
  readonly isCompared: boolean;
};

/** Hours since 1970, both included. `step`: the rows that are read. */
export type FigureRange = { readonly step: "hour" | "day"; readonly fromHour: number; readonly toHour: number };

export type Ranges = { readonly range: FigureRange; readonly before: FigureRange | null };

/**
 * Returns the ranges; null if `from` is not before `to`, or if the hours of a range by the hour are no longer kept.
 * Days begin at midnight UTC. Without a series, days are read if the range consists of days, because they are fewer.
 */
export function figureRanges({ now, from, to, span, isCompared }: Asked): Ranges | null {
  // The present instant belongs to the range.
  const end = to ?? now + 1;
  const begin = from ?? end - 24 * HOUR_MS;
  if (begin >= end) return null;
  const hours = { fromHour: Math.floor(begin / HOUR_MS), toHour: Math.ceil(end / HOUR_MS) - 1 };
  const days = { fromHour: Math.floor(hours.fromHour / 24) * 24, toHour: Math.floor(hours.toHour / 24) * 24 + 23 };
  const thisHour = Math.floor(now / HOUR_MS);
  const length = hours.toHour - hours.fromHour + 1;
  const isKept = hours.fromHour - (isCompared ? length : 0) >= thisHour - HOURS_KEPT;
  const isWholeDays = days.fromHour === hours.fromHour && (days.toHour === hours.toHour || hours.toHour >= thisHour);
  if (span === "hour" && !isKept) return null;
  const step = span === "hour" || (span === "none" && isKept && !isWholeDays) ? "hour" : "day";
  const range: FigureRange = step === "hour" ? { step, ...hours } : { step, ...days };
  return { range, before: isCompared ? rangeBefore(range) : null };
}

function rangeBefore({ step, fromHour, toHour }: FigureRange): FigureRange {
  return { step, fromHour: fromHour - (toHour - fromHour + 1), toHour: fromHour - 1 };
}
