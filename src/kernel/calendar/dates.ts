// The field "day of month": lists dates of a month by number, from the end, or as the nearest weekday.
import { itemOf, refuse, type Field, type Read } from "./field.ts";

export type Dates = {
  /** Bit 0 is the first day of the month. */
  readonly listed: number;
  /** Days before the last day of the month: L is 0, L-2 is 2. */
  readonly fromEnd: readonly number[];
  /** For each date, the nearest weekday (Monday to Friday) within the month. */
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
      "L is the last day, L-2 two days before it, LW the last weekday (Monday to Friday), 15W the weekday nearest to the 15th.",
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
    "The earliest is L-30.",
  );
}

function maskOf(numbers: readonly number[]): number {
  return numbers.reduce((mask, number) => mask | (1 << (number - 1)), 0);
}

/** The dates of one month as bits. `length`: number of days. `first`: weekday of its first day. */
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
