// Holidays: the days of named calendars, and the day to which a holiday is moved. A day is the number of days since
// 1 January 1970 in local time.
import type { Calendars, HolidayMove } from "#schema/definition/holidays.ts";
import { HOLIDAY_MOVE_DAYS_MAX } from "#schema/limits/definition-sizes.ts";
import { offsetAt } from "./zone.ts";

export type Days = ReadonlySet<number>;
export type Holidays = { readonly days: Days; readonly move: HolidayMove };

const DAY_MS = 86_400_000;
export const NO_DAYS: Days = new Set();

const knownDays = new WeakMap<Calendars, Map<string, Days>>();

/** The days of the named calendars. They are computed once per definition. A calendar without dates here has none. */
export function daysOf(calendars: Calendars, names: readonly string[]): Days {
  const known = knownDays.get(calendars) ?? new Map<string, Days>();
  knownDays.set(calendars, known);
  const key = names.join(" ");
  const days = known.get(key) ?? new Set(names.flatMap((name) => datesOf(calendars, name).map(dayOfDate)));
  known.set(key, days);
  return days;
}

export function holidaysOf(
  calendars: Calendars,
  { calendar, move }: { readonly calendar: string; readonly move: HolidayMove },
): Holidays {
  return { days: daysOf(calendars, [calendar]), move };
}

function datesOf(calendars: Calendars, name: string): readonly string[] {
  return (Object.hasOwn(calendars, name) ? calendars[name] : undefined) ?? [];
}

/** The number of a date such as 2026-12-25. */
function dayOfDate(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/** The local day of an instant. */
export function localDay(timezone: string, at: number): number {
  return Math.floor((at + offsetAt(timezone, at)) / DAY_MS);
}

/**
 * The day to which a holiday is moved: the nearest one before or after that is no holiday and that `isOpen` accepts. null
 * if nothing happens on the holiday.
 */
export function dayInstead(day: number, { days, move }: Holidays, isOpen: (day: number) => boolean): number | null {
  if (move === "skip") return null;
  const step = move === "after" ? 1 : -1;
  for (let moved = 1; moved <= HOLIDAY_MOVE_DAYS_MAX; moved += 1) {
    const other = day + moved * step;
    if (!days.has(other) && isOpen(other)) return other;
  }
  return null;
}

/** The holidays that are moved to a day: those next to it without a gap. Empty if the day is a holiday itself. */
export function daysMovedTo(day: number, { days, move }: Holidays): readonly number[] {
  if (move === "skip" || days.has(day)) return [];
  const step = move === "after" ? -1 : 1;
  const moved: number[] = [];
  while (moved.length < HOLIDAY_MOVE_DAYS_MAX && days.has(day + (moved.length + 1) * step)) {
    moved.push(day + (moved.length + 1) * step);
  }
  return moved;
}
