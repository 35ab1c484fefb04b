// A fast calendar shift: moves an instant by calendar and clock units if no clock change is near, which is the usual
// case. Temporal takes twenty times as long. The result is the same, or null if the fast path cannot decide.
import { DURATIONS_CACHED_MAX } from "#schema/limits/kernel.ts";
import { Temporal } from "temporal-polyfill";
import { steadyInstant, steadyOffset } from "./zone.ts";

type Parts = { readonly months: number; readonly days: number; readonly ms: number };

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const parsed = new Map<string, Parts>();

/** `at`: the time of day on the target date. Returns null if the caller must use the exact computation. */
export function shiftSteadily(
  anchor: number,
  offset: number | string,
  at: string | undefined,
  timezone: string,
): number | null {
  const { months, days, ms } = typeof offset === "number" ? { months: 0, days: 0, ms: offset } : partsOf(offset);
  const hasDays = months !== 0 || days !== 0;
  if (!Number.isInteger(anchor) || !Number.isInteger(ms)) return null;
  const dated = hasDays ? onDate(anchor, months, days, timezone) : anchor;
  if (dated === null) return null;
  const moved = dated + ms;
  if (at === undefined) return steadyOffset(timezone, moved) === null ? null : moved;
  const time = timeOf(at);
  const there = steadyOffset(timezone, moved);
  if (there === null || time === null) return null;
  return steadyInstant(timezone, dayOf(moved + there) + time);
}

/** The same time of day on another date. */
function onDate(anchor: number, months: number, days: number, timezone: string): number | null {
  const here = steadyOffset(timezone, anchor);
  if (here === null) return null;
  const reading = anchor + here;
  return steadyInstant(timezone, inMonths(reading, months) + days * DAY_MS);
}

/** The 31st becomes the last day of a shorter month. */
function inMonths(reading: number, months: number): number {
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

/** `text` was checked to be a duration. Throws if it is longer than Temporal supports. */
function partsOf(text: string): Parts {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const { years, months, weeks, days, hours, minutes, seconds, milliseconds } = Temporal.Duration.from(text);
  const made: Parts = {
    months: 12 * years + months,
    days: 7 * weeks + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS + milliseconds,
  };
  if (parsed.size < DURATIONS_CACHED_MAX) parsed.set(text, made);
  return made;
}

/** Midnight of a plain date such as 2027-06-12; null if it is not a date, or if the exact computation is needed. */
export function steadyMidnight(date: string, timezone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const reading = Date.parse(date);
  // Date accepts the 31st of a shorter month and moves it to the next one.
  if (Number.isNaN(reading) || new Date(reading).getUTCDate() !== Number(date.slice(8))) return null;
  return steadyInstant(timezone, reading);
}
