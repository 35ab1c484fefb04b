// When a window opens next in a zone, or since when it is open. Times of day become instants by the one rule of the
// calendar: what the clocks jump over comes later by as much, and what they show twice is the first (zone.ts). Knows no
// clock, and not who waits.
import { weekdays, type Window, type WindowRange } from "#schema/definition/window.ts";
import { WINDOW_DAYS_MAX } from "#schema/limits/kernel.ts";
import { spend, workOf, type Work } from "../computing/work.ts";
import { offsetAt, stretchesBetween, type Stretch } from "./zone.ts";

/** From `opens` on, and before `closes`. */
export type Opening = { readonly opens: number; readonly closes: number };

type Hours = { readonly days: readonly boolean[]; readonly from: number; readonly to: number };

const MINUTE = 60_000;
const DAY = 86_400_000;
/** 1970 began on a Thursday, the fourth of a week. */
const FIRST_WEEKDAY = 3;
/** Offsets go from twelve hours behind to fourteen ahead: so much earlier and later a reading of four days may be. */
const AHEAD = 14 * 60 * MINUTE;
const BEHIND = 12 * 60 * MINUTE;
/** Days whose openings are looked at together. */
const LOOKED = 3;

/** The one that is open now, or opens first after now; null where none does within a year. Throws for no zone. */
export function nextOpening(window: Window, timezone: string, now: number, work?: Work): Opening | null {
  const ranges = hoursOf(window);
  const today = Math.floor((now + offsetAt(timezone, now)) / DAY);
  // What opened the evening before may be open still; and so may what did before a day that a zone has left out.
  const open = earliest(
    lookAt(ranges, today - 2, timezone, work)
      .flat()
      .filter(isOpenAt(now)),
  );
  if (open !== null) return open;
  for (let day = today; day < today + WINDOW_DAYS_MAX; day += LOOKED - 1) {
    const ahead = lookAt(ranges, day, timezone, work).map((each) => each.filter(({ opens }) => opens > now));
    // What is to open on a day that is left out does on the next one, maybe after that day's own.
    if (ahead.slice(0, -1).some(({ length }) => length > 0)) return earliest(ahead.flat());
  }
  return null;
}

function isOpenAt(now: number) {
  return ({ opens, closes }: Opening): boolean => opens <= now && now < closes;
}

/** Of those that open together the one that is open longest. */
function earliest(openings: readonly Opening[]): Opening | null {
  return openings.toSorted((a, b) => a.opens - b.opens || b.closes - a.closes)[0] ?? null;
}

type Day = readonly Opening[];

function lookAt(ranges: readonly Hours[], day: number, timezone: string, work?: Work): readonly Day[] {
  const stretches = around(day, timezone, work);
  return Array.from({ length: LOOKED }, (_, index) => openingsOf(ranges, day + index, stretches));
}

/** What opens on that day, counted from the beginning of 1970. */
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

function around(day: number, timezone: string, work?: Work): readonly Stretch[] {
  const span = [day * DAY - AHEAD, (day + LOOKED + 1) * DAY + BEHIND] as const;
  const stretches = stretchesBetween(timezone, span, "shift", "first");
  if (work !== undefined) spend(work, stretches.length > 1 ? workOf.clockChange : workOf.calendarLook);
  return stretches;
}

/** Each reading is in one stretch and no other. */
function instantOf(wall: number, stretches: readonly Stretch[]): number {
  return Math.min(
    ...stretches.filter(({ from, before }) => from <= wall && wall < before).map(({ offset }) => wall - offset),
  );
}

const known = new WeakMap<Window, readonly Hours[]>();

/** Read once a definition, and not for each run that goes out. */
function hoursOf(window: Window): readonly Hours[] {
  const read = known.get(window) ?? rangesOf(window).map(readHours);
  known.set(window, read);
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

/** Monday first. */
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
