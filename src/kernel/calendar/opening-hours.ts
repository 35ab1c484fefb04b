// Opening hours of a window: finds the opening that is open now, or the next one, in a time zone. Times of day become
// instants by the calendar's rules (zone.ts). A time that the clock skips shifts later. A time that the clock shows
// twice counts when it is shown first. The current time is passed in.
import type { Calendars } from "#schema/definition/holidays.ts";
import { weekdays, type Window, type WindowRange } from "#schema/definition/window.ts";
import { WINDOW_DAYS_MAX } from "#schema/limits/definition-sizes.ts";
import { charge, workOf, type Work } from "../computing/work.ts";
import { daysOf, NO_DAYS, type Days } from "./holidays.ts";
import { offsetAt, stretchesBetween, type Stretch } from "./zone.ts";

/** One opening of a window, from `opens` (inclusive) to `closes` (exclusive), in epoch ms. */
export type Opening = { readonly opens: number; readonly closes: number };

/**
 * Hours that repeat every week. `days`: whether the window opens on each weekday, Monday first. `from` and `to`: ms
 * after midnight of that day. If the window closes after the next midnight, `to` exceeds a day.
 */
type WeeklyHours = { readonly days: readonly boolean[]; readonly from: number; readonly to: number };

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The weekday of 1 January 1970, a Thursday, if Monday is 0. */
const FIRST_WEEKDAY = 3;
/** No zone is further ahead of UTC. */
const OFFSET_AHEAD_MS = 14 * 60 * MINUTE;
/** No zone is further behind UTC. */
const OFFSET_BEHIND_MS = 12 * 60 * MINUTE;
/** The number of days whose openings one search computes. */
const DAYS_CHECKED = 3;

type OpeningSearch = {
  readonly hours: readonly WeeklyHours[];
  readonly timezone: string;
  readonly now: number;
  /** The number of the day of `now` in the zone; 1 January 1970 is day 0. */
  readonly today: number;
  /** The days on which the window does not open. */
  readonly except: Days;
  readonly work: Work | undefined;
};

/**
 * Returns the opening that is open now, otherwise the next one. null if there is none within WINDOW_DAYS_MAX days.
 * `calendars`: the dates of the calendars that `except` names. Throws if the zone does not exist.
 */
export function nextOpening(
  window: Window,
  timezone: string,
  now: number,
  work?: Work,
  calendars: Calendars = {},
): Opening | null {
  const today = Math.floor((now + offsetAt(timezone, now)) / DAY);
  const search = { hours: weeklyHoursOf(window), timezone, now, today, except: exceptedDays(window, calendars), work };
  return currentOpening(search) ?? openingAhead(search);
}

/** Returns whether the window opens on a day, which is the number of days since 1970. */
export function opensOn(window: Window, day: number, calendars: Calendars): boolean {
  return !exceptedDays(window, calendars).has(day) && weeklyHoursOf(window).some(({ days }) => days[weekdayOn(day)]);
}

function exceptedDays({ except }: Window, calendars: Calendars): Days {
  return except === undefined ? NO_DAYS : daysOf(calendars, [except].flat());
}

/** Returns the opening that is open now; null if the window is closed. */
function currentOpening({ hours, timezone, now, today, except, work }: OpeningSearch): Opening | null {
  // An opening of yesterday evening may still be open after midnight. If the zone has skipped yesterday, the evening
  // before today is that of two days ago.
  const openings = openingsFrom({ hours, except }, today - 2, timezone, work).flat();
  return earliest(openings.filter(({ opens, closes }) => opens <= now && now < closes));
}

/** Returns the first opening after now; null if there is none. */
function openingAhead({ hours, timezone, now, today, except, work }: OpeningSearch): Opening | null {
  for (let day = today; day < today + WINDOW_DAYS_MAX; day += DAYS_CHECKED - 1) {
    const ahead = openingsFrom({ hours, except }, day, timezone, work).map((each) =>
      each.filter(({ opens }) => opens > now),
    );
    // An opening on a day that the zone skips shifts to the next day, where another opening may come before it. A day
    // is therefore decided only together with the day after it, so the last day is left to the next search.
    if (ahead.slice(0, -1).some(({ length }) => length > 0)) return earliest(ahead.flat());
  }
  return null;
}

/** Returns the earliest opening; of several that open at the same instant, the longest. null if there is none. */
function earliest(openings: readonly Opening[]): Opening | null {
  return openings.toSorted((a, b) => a.opens - b.opens || b.closes - a.closes)[0] ?? null;
}

type Day = readonly Opening[];
type OpenDays = Pick<OpeningSearch, "hours" | "except">;

function weekdayOn(day: number): number {
  return (((day + FIRST_WEEKDAY) % 7) + 7) % 7; // For days before 1970 the first remainder is negative.
}

/** Returns the openings of DAYS_CHECKED days from `day`, one list per day. */
function openingsFrom(written: OpenDays, day: number, timezone: string, work?: Work): readonly Day[] {
  const stretches = stretchesAround(day, timezone, work);
  return Array.from({ length: DAYS_CHECKED }, (_, index) => openingsOf(written, day + index, stretches));
}

/** Returns the openings that begin on a day of the zone's calendar. */
function openingsOf({ hours, except }: OpenDays, day: number, stretches: readonly Stretch[]): Day {
  if (except.has(day)) return [];
  const weekday = weekdayOn(day);
  return hours
    .filter(({ days }) => days[weekday])
    .map(({ from, to }) => ({
      opens: instantOf(day * DAY + from, stretches),
      closes: instantOf(day * DAY + to, stretches),
    }))
    .filter(({ opens, closes }) => opens < closes);
}

/**
 * Returns the stretches (zone.ts) that contain all readings of the checked days. They also contain the day after, on
 * which an opening over midnight closes. The span is in UTC, so it is wider by the largest offsets.
 */
function stretchesAround(day: number, timezone: string, work?: Work): readonly Stretch[] {
  const span = [day * DAY - OFFSET_AHEAD_MS, (day + DAYS_CHECKED + 1) * DAY + OFFSET_BEHIND_MS] as const;
  const stretches = stretchesBetween(timezone, span, "shift", "first");
  if (work !== undefined) charge(work, stretches.length > 1 ? workOf.clockChange : workOf.calendarLook);
  return stretches;
}

/** Returns the instant of a wall-clock reading. Exactly one stretch contains the reading, so the list has one item. */
function instantOf(wall: number, stretches: readonly Stretch[]): number {
  return Math.min(
    ...stretches.filter(({ from, before }) => from <= wall && wall < before).map(({ offset }) => wall - offset),
  );
}

const hoursByWindow = new WeakMap<Window, readonly WeeklyHours[]>();

/** Returns the hours of a window, which are parsed once per definition and not once per run. */
function weeklyHoursOf(window: Window): readonly WeeklyHours[] {
  const hours = hoursByWindow.get(window) ?? rangesOf(window).map(parseHours);
  hoursByWindow.set(window, hours);
  return hours;
}

/** Returns the ranges of a window, which are in a list or, if there is only one, in the window itself. */
function rangesOf({ hours, days, from, to }: Window): readonly WindowRange[] {
  return hours ?? (from === undefined || to === undefined ? [] : [{ days, from, to }]);
}

function parseHours({ days, from, to }: WindowRange): WeeklyHours {
  const opens = msAfterMidnight(from);
  const closes = msAfterMidnight(to);
  return { days: openDaysIn(days ?? "MON-SUN"), from: opens, to: closes > opens ? closes : closes + DAY };
}

/** Parses a time of day such as 09:30. */
function msAfterMidnight(time: string): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * MINUTE;
}

/** Parses days such as "MON-WED,SAT". Returns whether the window opens on each weekday, Monday first. */
function openDaysIn(text: string): readonly boolean[] {
  const isOpen = weekdays.map(() => false);
  for (const item of text.toUpperCase().split(",")) {
    const [first, last = first] = item.split("-");
    const [start, end] = [weekdayOf(first), weekdayOf(last)];
    // A range such as FRI-MON ends in the next week.
    for (let day = start; day <= (end < start ? end + 7 : end); day += 1) isOpen[day % 7] = true;
  }
  return isOpen;
}

function weekdayOf(name: string | undefined): number {
  return weekdays.findIndex((each) => each === name);
}
