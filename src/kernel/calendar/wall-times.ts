// Wall-clock readings that a cron expression lists: finds the first or the last reading of a span, one date after
// another. A reading is the number of ms since 1970 that a UTC clock with this display would have. No time zone is
// needed.
import type { Cron } from "./cron.ts";
import { daysMovedTo, type Holidays } from "./holidays.ts";
import { itemOf, refuse, type Field, type Read, weekdaysIn } from "./cron-field.ts";

const SECOND = 1_000;
const DAY = 86_400_000;

/** The first reading from `from` (inclusive) to `before` (exclusive); null if there is none. */
export function firstWall(cron: Cron, from: number, before: number, holidays?: Holidays): number | null {
  for (let month = monthOf(from); startOf(month) < before; month += 1) {
    const start = startOf(month);
    for (let due = openDates(cron, month, holidays), day = start; due !== 0; due >>>= 1, day += DAY) {
      if ((due & 1) === 0 || day + DAY <= from) continue;
      const time = firstTime(cron, (from - day) / SECOND);
      if (time === null) continue;
      const wall = day + time * SECOND;
      return wall < before ? wall : null;
    }
  }
  return null;
}

/** The last reading from `from` (inclusive) to `before` (exclusive); null if there is none. */
export function lastWall(cron: Cron, from: number, before: number, holidays?: Holidays): number | null {
  for (let month = monthOf(before - 1); startOf(month + 1) > from; month -= 1) {
    const start = startOf(month);
    const due = openDates(cron, month, holidays);
    for (let date = 30; date >= 0; date -= 1) {
      const day = start + date * DAY;
      if (((due >>> date) & 1) === 0 || day >= before) continue;
      const time = lastTime(cron, (before - day) / SECOND);
      if (time === null) continue;
      const wall = day + time * SECOND;
      return wall >= from ? wall : null;
    }
  }
  return null;
}

/** The number of the month, counted across years, so that the number plus 1 is always the next month. */
function monthOf(wall: number): number {
  const date = new Date(wall);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

/** The matching days of the month as bits, after their moves over holidays. */
function openDates(cron: Cron, month: number, holidays: Holidays | undefined): number {
  const due = dueDates(cron, month);
  if (holidays === undefined) return due;
  const first = startOf(month) / DAY;
  const length = startOf(month + 1) / DAY - first;
  let open = 0;
  for (let date = 0; date < length; date += 1) {
    const day = first + date;
    const isDue = ((due >>> date) & 1) === 1 && !holidays.days.has(day);
    if (isDue || daysMovedTo(day, holidays).some((moved) => isDueDay(cron, moved))) open |= 1 << date;
  }
  return open;
}

/** The nearest matching holiday that is moved to the day. null if the day matches itself, or no holiday is moved to it. */
export function dayMovedFrom(cron: Cron, day: number, holidays: Holidays): number | null {
  if (isDueDay(cron, day)) return null;
  return daysMovedTo(day, holidays).find((moved) => isDueDay(cron, moved)) ?? null;
}

function isDueDay(cron: Cron, day: number): boolean {
  const month = monthOf(day * DAY);
  return ((dueDates(cron, month) >>> (day - startOf(month) / DAY)) & 1) === 1;
}

/** The matching days of the month as bits; bit 0 is the first day. */
function dueDates({ years, months, days, dates, weekdays }: Cron, month: number): number {
  if (!months.includes((month % 12) + 1)) return 0;
  if (years !== null && !years.includes(Math.floor(month / 12))) return 0;
  const start = startOf(month);
  const length = Math.round((startOf(month + 1) - start) / DAY);
  const first = new Date(start).getUTCDay();
  switch (days) {
    case "all":
      return 2 ** length - 1;
    case "dates":
      return datesIn(dates, length, first);
    case "weekdays":
      return weekdaysIn(weekdays, length, first);
    case "either":
      return datesIn(dates, length, first) | weekdaysIn(weekdays, length, first);
    case "both":
      return datesIn(dates, length, first) & weekdaysIn(weekdays, length, first);
  }
}

/** The first listed time of the day at or after `from`, in seconds; null if the day has none. */
function firstTime({ hours, minutes, seconds }: Cron, from: number): number | null {
  for (const hour of hours) {
    if ((hour + 1) * 3_600 <= from) continue;
    for (const minute of minutes) {
      const start = hour * 3_600 + minute * 60;
      if (start + 60 <= from) continue;
      const second = seconds.find((each) => start + each >= from);
      if (second !== undefined) return start + second;
    }
  }
  return null;
}

/** The last listed time of the day before `before`, in seconds; null if the day has none. */
function lastTime({ hours, minutes, seconds }: Cron, before: number): number | null {
  for (let h = hours.length - 1; h >= 0; h -= 1) {
    const hour = Number(hours[h]);
    if (hour * 3_600 >= before) continue;
    for (let m = minutes.length - 1; m >= 0; m -= 1) {
      const start = hour * 3_600 + Number(minutes[m]) * 60;
      if (start >= before) continue;
      const second = seconds.findLast((each) => start + each < before);
      if (second !== undefined) return start + second;
    }
  }
  return null;
}

export type Dates = {
  /** The listed dates as bits; bit 0 is the first day of the month. */
  readonly listed: number;
  /** Due days counted back from the last day of the month: L is 0, L-2 is 2. */
  readonly fromEnd: readonly number[];
  /** Listed dates for which the nearest day from Monday to Friday of the same month is due instead. */
  readonly nearest: readonly number[];
  readonly isLastWorkday: boolean;
};

const field: Field = { name: "day of month", min: 1, max: 31, names: [], firstNamed: 0, stepsFromZero: false };
const SATURDAY = 6;
const SUNDAY = 0;

export function datesOf(text: string): Read<Dates> {
  let dates: Dates = { listed: 0, fromEnd: [], nearest: [], isLastWorkday: false };
  for (const item of text.split(",")) {
    const read = withItem(dates, item);
    if (!read.ok) return read;
    dates = read.value;
  }
  return { ok: true, value: dates };
}

function withItem(dates: Dates, item: string): Read<Dates> {
  if (item === "LW") return { ok: true, value: { ...dates, isLastWorkday: true } };
  const [, before] = /^L(?:-(\d{1,2}))?$/.exec(item) ?? [item, null];
  if (before !== null) return withFromEnd(dates, item, Number(before ?? 0));
  const isNearest = /^\d+W$/.test(item);
  if (!isNearest && /[LW]/.test(item)) {
    return refuse(
      "not_understood",
      `day of month: ${item} is not valid`,
      "Write L for the last day, L-2 for two days before the last day, LW for the last weekday (Monday to Friday), or 15W for the weekday nearest to the 15th.",
    );
  }
  const numbers = itemOf(isNearest ? item.slice(0, -1) : item, field);
  if (!numbers.ok) return numbers;
  if (isNearest) return { ok: true, value: { ...dates, nearest: [...dates.nearest, ...numbers.value] } };
  return { ok: true, value: { ...dates, listed: dates.listed | maskOf(numbers.value) } };
}

function withFromEnd(dates: Dates, item: string, before: number): Read<Dates> {
  if (before < field.max) return { ok: true, value: { ...dates, fromEnd: [...dates.fromEnd, before] } };
  return refuse(
    "beyond_month",
    `day of month: ${item} is before the first day of every month`,
    "Write L-30 or a later day.",
  );
}

function maskOf(numbers: readonly number[]): number {
  return numbers.reduce((mask, number) => mask | (1 << (number - 1)), 0);
}

/** The due dates of one month as bits. `length`: the number of its days. `first`: the weekday of its first day. */
export function datesIn(dates: Dates, length: number, first: number): number {
  const weekday = (date: number): number => (first + date - 1) % 7;
  let due = dates.listed & (2 ** length - 1);
  for (const before of dates.fromEnd) if (before < length) due |= 1 << (length - before - 1);
  for (const date of dates.nearest) if (date <= length) due |= 1 << (nearestWorkday(date, length, weekday(date)) - 1);
  if (dates.isLastWorkday) due |= 1 << (lastWorkday(length, weekday(length)) - 1);
  return due;
}

function nearestWorkday(date: number, length: number, weekday: number): number {
  if (weekday === SATURDAY) return date === 1 ? 3 : date - 1;
  if (weekday === SUNDAY) return date === length ? date - 2 : date + 1;
  return date;
}

function lastWorkday(length: number, weekday: number): number {
  if (weekday === SATURDAY) return length - 1;
  return weekday === SUNDAY ? length - 2 : length;
}
