// How the clocks of a zone run for some days around an instant: stretches of wall time, each with the offset that its
// readings count by. What a rule says of hours that are missing or come twice is in them already.
import type { Fold, Gap } from "#schema/definition/schedule.ts";
import { INSTANT_MS_MAX, STEADY_STRETCHES_MAX } from "#schema/limits/kernel.ts";
import { Temporal } from "temporal-polyfill";

/** Which pass counts of an hour that the clocks show twice. */
export type Passes = Exclude<Fold, "auto">;
export type Touch = "none" | "gap" | "fold_first" | "fold_second";

export type Stretch = {
  /** Readings from here on and before there. See walls.ts for how they are written. */
  readonly from: number;
  readonly before: number;
  /** A reading less this is its instant. */
  readonly offset: number;
  /** What the wall shows then: of a reading that was jumped over it is a later one. */
  readonly shown: number;
  readonly dst: Touch;
};

/**
 * No zone's clocks have been moved twice within so many days since 1970, which a test keeps looking up: what is asked for
 * at once must be shorter.
 */
export const CHANGES_APART_MS = 6 * 86_400_000;
/** Offsets go from -12 to +14 hours: nobody is moved by more. */
export const OFFSETS_SPAN_MS = 26 * 3_600_000;

/** Throws of a zone that is none. */
export function offsetAt(timezone: string, at: number): number {
  return steadyOffset(timezone, at) ?? lookUp(timezone, at);
}

function lookUp(timezone: string, at: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return zoned.offsetNanoseconds / 1_000_000;
}

/** With what lies around it no longer than clocks are left alone. */
const STRETCH_MS = CHANGES_APART_MS - 2 * OFFSETS_SPAN_MS;

/** Zone by zone, stretch by stretch; null where the clocks are moved in it, or near its ends. */
const known = new Map<string, Map<number, number | null>>();
let count = 0;

/** The same a day and more before and after; null: clocks are moved near it, or nobody has looked. */
export function steadyOffset(timezone: string, at: number): number | null {
  // How often clocks were moved before 1970 was not looked up.
  if (!(at >= 0 && at <= INSTANT_MS_MAX)) return null;
  const stretch = Math.floor(at / STRETCH_MS);
  const offset = known.get(timezone)?.get(stretch);
  if (offset !== undefined) return offset;
  const start = stretch * STRETCH_MS;
  const before = lookUp(timezone, start - OFFSETS_SPAN_MS);
  const isSteady = before === lookUp(timezone, start + STRETCH_MS + OFFSETS_SPAN_MS);
  return remember(timezone, stretch, isSteady ? before : null);
}

/** The instant of a reading, which is written as an instant of UTC, where no clock is moved near it; null: look closely. */
export function steadyInstant(timezone: string, reading: number): number | null {
  const offset = steadyOffset(timezone, reading);
  return offset === null ? null : reading - offset;
}

/** When there are very many, those of all zones are forgotten. */
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

/** As ISO 8601 writes it: +02:00. */
export function offsetText(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return `${offset < 0 ? "-" : "+"}${text.endsWith(":00") ? text.slice(0, 5) : text}`;
}

/** Of any zone something is known about it when it was asked for before. */
const SOME_INSTANT = Date.UTC(2000, 5, 15);

export function isZone(name: string): boolean {
  try {
    return !Number.isNaN(offsetAt(name, SOME_INSTANT));
  } catch {
    return false;
  }
}

/** Ordinary stretches come before those that were jumped over: an instant that has both is an ordinary one. */
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
