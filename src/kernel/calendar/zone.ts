// How the clocks of a zone run for some days around an instant: stretches of wall time, each with the offset that its
// readings count by. What a rule says of hours that are missing or come twice is in them already.
import type { Fold, Gap } from "#schema/definition/schedule.ts";
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

export function offsetAt(timezone: string, at: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return zoned.offsetNanoseconds / 1_000_000;
}

/** As ISO 8601 writes it: +02:00. */
export function offsetText(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return `${offset < 0 ? "-" : "+"}${text.endsWith(":00") ? text.slice(0, 5) : text}`;
}

export function isZone(name: string): boolean {
  try {
    return !Number.isNaN(offsetAt(name, 0));
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
