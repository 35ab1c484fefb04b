// Time zones: finds a zone's offset at an instant, and shifts instants by calendar units and exact units. Temporal
// takes twenty times as long, so it is used only near a clock change.
import { Temporal } from "temporal-polyfill";
import type { Fold, Gap } from "#schema/definition/schedule.ts";
import { INSTANT_MS_MAX } from "#schema/limits/definition-sizes.ts";
import { DURATIONS_CACHED_MAX, ZONE_PERIODS_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";

/** Which passes of a repeated hour are used: the first, the last or both. */
export type Passes = Exclude<Fold, "auto">;
export type ClockChange = "none" | "gap" | "fold_first" | "fold_second";

export type Stretch = {
  /**
   * The stretch contains the readings from `from` (inclusive) to `before` (exclusive), in the form of wall-times.ts.
   */
  readonly from: number;
  readonly before: number;
  /** The instant of a reading in this stretch is the reading minus this offset. */
  readonly offset: number;
  /**
   * The offset that the clock really has at the instant. It differs from `offset` for a skipped reading, because the
   * clock then shows a later time.
   */
  readonly shown: number;
  readonly dst: ClockChange;
};

/**
 * The minimal time between two clock changes of one zone since 1970, which a test checks. A search covers less time
 * than that, so that it meets at most one change.
 */
export const CHANGES_APART_MS = 6 * 86_400_000;
/** The largest possible clock change: offsets range from -12 to +14 hours. */
export const OFFSETS_SPAN_MS = 26 * 3_600_000;

/** The offset of a zone at an instant, in ms. Throws if the zone does not exist. */
export function offsetAt(timezone: string, at: number): number {
  return steadyOffset(timezone, at) ?? exactOffset(timezone, at);
}

function exactOffset(timezone: string, at: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return zoned.offsetNanoseconds / 1_000_000;
}

/**
 * The length of time for which one offset is cached. The check also covers all possible offsets before and after it,
 * and still meets at most one clock change.
 */
const STRETCH_MS = CHANGES_APART_MS - 2 * OFFSETS_SPAN_MS;

/** The cached offset by zone and span; null if the clock changes in this span or close to it. */
const steadyOffsets = new Map<string, Map<number, number | null>>();
let count = 0;

/**
 * The zone's offset at an instant, if no clock change is within a day of it. null if a clock change is near, or if the
 * instant is in a year that was not checked. The caller then computes the offset exactly.
 */
export function steadyOffset(timezone: string, at: number): number | null {
  // The distance between clock changes was not checked for the years before 1970.
  if (!(at >= 0 && at <= INSTANT_MS_MAX)) return null;
  const stretch = Math.floor(at / STRETCH_MS);
  const offset = steadyOffsets.get(timezone)?.get(stretch);
  if (offset !== undefined) return offset;
  const start = stretch * STRETCH_MS;
  const before = exactOffset(timezone, start - OFFSETS_SPAN_MS);
  const isSteady = before === exactOffset(timezone, start + STRETCH_MS + OFFSETS_SPAN_MS);
  return cacheOffset(timezone, stretch, isSteady ? before : null);
}

/**
 * The instant of a wall-clock reading (in ms, as if the clock showed UTC). null if a clock change is near; the caller
 * then computes the instant exactly.
 */
export function steadyInstant(timezone: string, reading: number): number | null {
  const offset = steadyOffset(timezone, reading);
  return offset === null ? null : reading - offset;
}

/** Caches an offset and returns it. A full cache is first emptied for all zones. */
function cacheOffset(timezone: string, stretch: number, offset: number | null): number | null {
  if (count >= ZONE_PERIODS_CACHED_MAX) {
    steadyOffsets.clear();
    count = 0;
  }
  count += 1;
  const ofZone = steadyOffsets.get(timezone) ?? new Map<number, number | null>();
  steadyOffsets.set(timezone, ofZone);
  ofZone.set(stretch, offset);
  return offset;
}

/** The offset as text in ISO 8601 format, such as +02:00. */
export function offsetText(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return `${offset < 0 ? "-" : "+"}${text.endsWith(":00") ? text.slice(0, 5) : text}`;
}

/** Any instant will do, because the call only checks whether the zone exists. */
const ANY_INSTANT = Date.UTC(2000, 5, 15);

export function isZone(name: string): boolean {
  try {
    return !Number.isNaN(offsetAt(name, ANY_INSTANT));
  } catch {
    return false;
  }
}

/**
 * The stretches of readings between two instants, between which the clock changes at most once. Ordinary stretches come
 * first. If an ordinary and a skipped reading give the same instant, the ordinary one is therefore found first.
 */
export function stretchesBetween(
  timezone: string,
  [start, end]: readonly [number, number],
  gap: Gap,
  passes: Passes,
): readonly Stretch[] {
  const old = offsetAt(timezone, start);
  const anew = offsetAt(timezone, end);
  const plain = { from: -Infinity, before: Infinity, offset: old, shown: old, dst: "none" } as const;
  if (old === anew) return [plain];
  const change = changeBetween(timezone, start, end, old);
  const [left, reached] = [change + old, change + anew];
  const later = { ...plain, offset: anew, shown: anew };
  if (left < reached) {
    const around: Stretch[] = [
      { ...plain, before: left },
      { ...later, from: reached },
    ];
    return gap === "skip" ? around : [...around, { from: left, before: reached, offset: old, shown: anew, dst: "gap" }];
  }
  const twice = { from: reached, before: left };
  return [
    { ...plain, before: reached },
    ...(passes === "last" ? [] : [{ ...plain, ...twice, dst: "fold_first" } as const]),
    ...(passes === "first" ? [] : [{ ...later, ...twice, dst: "fold_second" } as const]),
    { ...later, from: left },
  ];
}

/** The instant at which the clock changes between `start` and `end`: the first second that has the new offset. */
export function changeBetween(timezone: string, start: number, end: number, old: number): number {
  let [before, after] = [Math.floor(start / 1_000), Math.ceil(end / 1_000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(timezone, middle * 1_000) === old) before = middle;
    else after = middle;
  }
  return after * 1_000;
}

type Parts = { readonly months: number; readonly days: number; readonly ms: number };

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const parsedDurations = new Map<string, Parts>();

/**
 * Shifts an instant by the offset of a delay. `at`: the time of day on the resulting date. null if a clock change is
 * near; the caller then computes the result exactly.
 */
export function shiftWithoutClockChange(
  anchor: number,
  offset: number | string,
  at: string | undefined,
  timezone: string,
): number | null {
  const { months, days, ms } = typeof offset === "number" ? { months: 0, days: 0, ms: offset } : partsOf(offset);
  const hasDays = months !== 0 || days !== 0;
  if (!Number.isInteger(anchor) || !Number.isInteger(ms)) return null;
  const dated = hasDays ? onShiftedDate(anchor, months, days, timezone) : anchor;
  if (dated === null) return null;
  const moved = dated + ms;
  if (at === undefined) return steadyOffset(timezone, moved) === null ? null : moved;
  const time = timeOf(at);
  const there = steadyOffset(timezone, moved);
  if (there === null || time === null) return null;
  return steadyInstant(timezone, dayOf(moved + there) + time);
}

/**
 * The instant with the same time of day, months and days later or earlier. null if a clock change is near; the caller
 * then computes the result exactly.
 */
function onShiftedDate(anchor: number, months: number, days: number, timezone: string): number | null {
  const here = steadyOffset(timezone, anchor);
  if (here === null) return null;
  const reading = anchor + here;
  return steadyInstant(timezone, addMonths(reading, months) + days * DAY_MS);
}

/** The reading shifted by months. If the month is too short for its day, the last day of the month is used. */
function addMonths(reading: number, months: number): number {
  if (months === 0) return reading;
  const day = dayOf(reading);
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + (reading - day);
}

function dayOf(reading: number): number {
  return reading - (((reading % DAY_MS) + DAY_MS) % DAY_MS);
}

function timeOf(at: string): number | null {
  const found = /^(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(at);
  if (found === null) return null;
  const [, hours, minutes, seconds] = found.map(Number);
  return ((Number(hours) * 60 + Number(minutes)) * 60 + (Number(seconds) || 0)) * SECOND_MS;
}

/**
 * The parts of a duration text, which was verified when it was stored. Throws if it is longer than Temporal supports.
 */
function partsOf(text: string): Parts {
  const known = parsedDurations.get(text);
  if (known !== undefined) return known;
  const { years, months, weeks, days, hours, minutes, seconds, milliseconds } = Temporal.Duration.from(text);
  const made: Parts = {
    months: 12 * years + months,
    days: 7 * weeks + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS + milliseconds,
  };
  if (parsedDurations.size < DURATIONS_CACHED_MAX) parsedDurations.set(text, made);
  return made;
}

/**
 * Midnight of a plain date such as 2027-06-12. null if the text is not a date, or if a clock change is near. The caller
 * then parses the text and computes the instant exactly.
 */
export function steadyMidnight(date: string, timezone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const reading = Date.parse(date);
  // `Date` accepts the 31st of a shorter month as a day of the next month. Comparing the day with the text detects
  // this.
  if (Number.isNaN(reading) || new Date(reading).getUTCDate() !== Number(date.slice(8))) return null;
  return steadyInstant(timezone, reading);
}
