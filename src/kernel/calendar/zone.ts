// The clock of a time zone for some days around an instant: returns stretches of wall time, each with its offset. The
// stretches already apply the rules for skipped and repeated hours.
import type { Fold, Gap } from "#schema/definition/schedule.ts";
import { INSTANT_MS_MAX, STEADY_STRETCHES_MAX } from "#schema/limits/kernel.ts";
import { Temporal } from "temporal-polyfill";

/** Which pass of a repeated hour counts. */
export type Passes = Exclude<Fold, "auto">;
export type Touch = "none" | "gap" | "fold_first" | "fold_second";

export type Stretch = {
  /** Readings from `from` (inclusive) to `before` (exclusive), in the format of walls.ts. */
  readonly from: number;
  readonly before: number;
  /** The instant is the reading minus this offset. */
  readonly offset: number;
  /** The reading that the clock shows at that instant; for a skipped reading it is a later one. */
  readonly shown: number;
  readonly dst: Touch;
};

/** Since 1970 no zone has changed its clocks twice within this time; a test checks this. One search must cover less. */
export const CHANGES_APART_MS = 6 * 86_400_000;
/** Offsets range from -12 to +14 hours, so no change is larger. */
export const OFFSETS_SPAN_MS = 26 * 3_600_000;

/** Throws if the zone does not exist. */
export function offsetAt(timezone: string, at: number): number {
  return steadyOffset(timezone, at) ?? lookUp(timezone, at);
}

function lookUp(timezone: string, at: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return zoned.offsetNanoseconds / 1_000_000;
}

/** With the possible offsets on both sides, a stretch is shorter than the minimal distance of two clock changes. */
const STRETCH_MS = CHANGES_APART_MS - 2 * OFFSETS_SPAN_MS;

/** Cached by zone and stretch; null if the clock changes in the stretch, or near its ends. */
const known = new Map<string, Map<number, number | null>>();
let count = 0;

/**
 * The offset if it is constant for more than a day before and after; null if a clock change is near, or if the zone is
 * not cached.
 */
export function steadyOffset(timezone: string, at: number): number | null {
  // Clock changes before 1970 were not checked.
  if (!(at >= 0 && at <= INSTANT_MS_MAX)) return null;
  const stretch = Math.floor(at / STRETCH_MS);
  const offset = known.get(timezone)?.get(stretch);
  if (offset !== undefined) return offset;
  const start = stretch * STRETCH_MS;
  const before = lookUp(timezone, start - OFFSETS_SPAN_MS);
  const isSteady = before === lookUp(timezone, start + STRETCH_MS + OFFSETS_SPAN_MS);
  return remember(timezone, stretch, isSteady ? before : null);
}

/** The instant of a reading (written as in UTC) if no clock change is near; null if the exact computation is needed. */
export function steadyInstant(timezone: string, reading: number): number | null {
  const offset = steadyOffset(timezone, reading);
  return offset === null ? null : reading - offset;
}

/** When the cache is full, the entries of all zones are evicted. */
function remember(timezone: string, stretch: number, offset: number | null): number | null {
  if (count >= STEADY_STRETCHES_MAX) {
    known.clear();
    count = 0;
  }
  count += 1;
  const ofZone = known.get(timezone) ?? new Map<number, number | null>();
  known.set(timezone, ofZone);
  ofZone.set(stretch, offset);
  return offset;
}

/** In ISO 8601 format: +02:00. */
export function offsetText(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return `${offset < 0 ? "-" : "+"}${text.endsWith(":00") ? text.slice(0, 5) : text}`;
}

/** Any instant does: the call only checks that the zone exists. */
const SOME_INSTANT = Date.UTC(2000, 5, 15);

export function isZone(name: string): boolean {
  try {
    return !Number.isNaN(offsetAt(name, SOME_INSTANT));
  } catch {
    return false;
  }
}

/** Ordinary stretches come before skipped ones, so an instant that is in both is treated as ordinary. */
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

/** The first second with the new offset. */
export function changeBetween(timezone: string, start: number, end: number, old: number): number {
  let [before, after] = [Math.floor(start / 1_000), Math.ceil(end / 1_000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(timezone, middle * 1_000) === old) before = middle;
    else after = middle;
  }
  return after * 1_000;
}
