// Opening hours of a window: computes when the window opens next in a zone, or since when it is open. The calendar's
// rules (zone.ts) turn times of day into instants: a skipped time shifts later, and a repeated time counts at its first
// pass. The current time is passed in.
import { weekdays, type Window, type WindowRange } from "#schema/definition/window.ts";
import { WINDOW_DAYS_MAX } from "#schema/limits/definition-sizes.ts";
import { charge, workOf, type Work } from "../computing/work.ts";
import { offsetAt, stretchesBetween, type Stretch } from "./zone.ts";

/** An opening from `opens` (inclusive) to `closes` (exclusive), in epoch ms. */
export type Opening = { readonly opens: number; readonly closes: number };

type Hours = { readonly days: readonly boolean[]; readonly from: number; readonly to: number };

const MINUTE = 60_000;
const DAY = 86_400_000;
/** 1 January 1970 was a Thursday, weekday 3 if Monday is 0. */
const FIRST_WEEKDAY = 3;
/**
 * The largest offset of any zone ahead of UTC: 14 hours. The next constant is the largest offset behind UTC: 12 hours.
 * A span of readings is widened by both.
 */
const OFFSET_AHEAD_MS = 14 * 60 * MINUTE;
const OFFSET_BEHIND_MS = 12 * 60 * MINUTE;
/** Number of days whose openings are checked together. */
const DAYS_CHECKED = 3;

/**
 * The opening that is open now, or the next one; null if there is none within a year. Throws if the zone does not
 * exist.
 */
export function nextOpening(window: Window, timezone: string, now: number, work?: Work): Opening | null {
  const ranges = hoursOf(window);
  const today = Math.floor((now + offsetAt(timezone, now)) / DAY);
  // An opening that began yesterday evening may still be open. If the zone skipped yesterday, so may an opening that
  // began two days ago.
  const open = earliest(
    openingsFrom(ranges, today - 2, timezone, work)
      .flat()
      .filter(isOpenAt(now)),
  );
  if (open !== null) return open;
  for (let day = today; day < today + WINDOW_DAYS_MAX; day += DAYS_CHECKED - 1) {
    const ahead = openingsFrom(ranges, day, timezone, work).map((each) => each.filter(({ opens }) => opens > now));
    // The loop stops when an opening is found before the last day that was checked. An opening on a skipped day moves
    // to the next day, possibly after that day's own openings.
    if (ahead.slice(0, -1).some(({ length }) => length > 0)) return earliest(ahead.flat());
  }
  return null;
}

function isOpenAt(now: number) {
  return ({ opens, closes }: Opening): boolean => opens <= now && now < closes;
}

/** The earliest opening. Of several openings that begin at the same instant, the longest. */
function earliest(openings: readonly Opening[]): Opening | null {
  return openings.toSorted((a, b) => a.opens - b.opens || b.closes - a.closes)[0] ?? null;
}

type Day = readonly Opening[];

function openingsFrom(ranges: readonly Hours[], day: number, timezone: string, work?: Work): readonly Day[] {
  const stretches = stretchesAround(day, timezone, work);
  return Array.from({ length: DAYS_CHECKED }, (_, index) => openingsOf(ranges, day + index, stretches));
}

/** The openings of one day. `day`: the number of days since 1 January 1970. */
function openingsOf(ranges: readonly Hours[], day: number, stretches: readonly Stretch[]): Day {
  const weekday = (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
  return ranges
    .filter(({ days }) => days[weekday])
    .map(({ from, to }) => ({
      opens: instantOf(day * DAY + from, stretches),
      closes: instantOf(day * DAY + to, stretches),
    }))
    .filter(({ opens, closes }) => opens < closes);
}

function stretchesAround(day: number, timezone: string, work?: Work): readonly Stretch[] {
  const span = [day * DAY - OFFSET_AHEAD_MS, (day + DAYS_CHECKED + 1) * DAY + OFFSET_BEHIND_MS] as const;
  const stretches = stretchesBetween(timezone, span, "shift", "first");
  if (work !== undefined) charge(work, stretches.length > 1 ? workOf.clockChange : workOf.calendarLook);
  return stretches;
}

/** The instant of a wall-clock reading. Exactly one stretch contains the reading. */
function instantOf(wall: number, stretches: readonly Stretch[]): number {
  return Math.min(
    ...stretches.filter(({ from, before }) => from <= wall && wall < before).map(({ offset }) => wall - offset),
  );
}

const hoursByWindow = new WeakMap<Window, readonly Hours[]>();

/** The hours of a window. They are parsed once per definition and not once per run. */
function hoursOf(window: Window): readonly Hours[] {
  const read = hoursByWindow.get(window) ?? rangesOf(window).map(readHours);
  hoursByWindow.set(window, read);
  return read;
}

function rangesOf({ hours, days, from, to }: Window): readonly WindowRange[] {
  return hours ?? (from === undefined || to === undefined ? [] : [{ days, from, to }]);
}

function readHours({ days, from, to }: WindowRange): Hours {
  const opens = timeOf(from);
  const closes = timeOf(to);
  return { days: daysOf(days ?? "MON-SUN"), from: opens, to: closes > opens ? closes : closes + DAY };
}

function timeOf(text: string): number {
  return (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * MINUTE;
}

/** Whether the window is open on each weekday, Monday first. */
function daysOf(text: string): readonly boolean[] {
  const open = weekdays.map(() => false);
  for (const item of text.toUpperCase().split(",")) {
    const [first, last = first] = item.split("-");
    const [start, end] = [indexOf(first), indexOf(last)];
    for (let day = start; day <= (end < start ? end + 7 : end); day += 1) open[day % 7] = true;
  }
  return open;
}

function indexOf(name: string | undefined): number {
  return weekdays.findIndex((each) => each === name);
}
