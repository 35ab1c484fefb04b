// Cron expressions: what they say, and what is wrong with one. Knows the calendar of all zones alike, no zone and no clock.
import { LAST_YEAR } from "#schema/limits/kernel.ts";
import { datesOf, type Dates } from "./dates.ts";
import { numbersOf, refuse, type Fault, type Field, type Read } from "./field.ts";
import { firstWall } from "./walls.ts";
import { weekdaysOf } from "./weekdays.ts";

export type Cron = {
  /** As written. */
  readonly expression: string;
  /** In order, each once: what the fields list. */
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: readonly number[];
  /** null: every year. */
  readonly years: readonly number[] | null;
  readonly dates: Dates;
  /** By weekday, Sunday first: which of the month's are meant. See weekdays.ts. */
  readonly weekdays: readonly number[];
  /** Which of the two fields for days decides: `either` and `both` where each of them says something. */
  readonly days: "all" | "dates" | "weekdays" | "either" | "both";
  /** Minute or hour start with `*`: it means an interval, which goes on through an hour that comes twice. */
  readonly isPattern: boolean;
};

export type ParsedCron = { readonly ok: true; readonly cron: Cron } | Fault;

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/** Of the seven fields. */
const WEEKDAY = 5;
const FIRST_YEAR = 1970;
/** After 400 years the calendar begins anew, weekdays and all: what has not come by then never does. */
const SEARCHED = [Date.UTC(FIRST_YEAR, 0, 1), Date.UTC(LAST_YEAR + 1, 0, 1)] as const;

const second: Field = { name: "second", min: 0, max: 59, names: [], firstNamed: 0, stepsFromZero: false };
const minute: Field = { ...second, name: "minute" };
const hour: Field = { ...second, name: "hour", max: 23 };
const month: Field = { ...second, name: "month", min: 1, max: 12, names: MONTHS, firstNamed: 1 };
const year: Field = { ...second, name: "year", min: FIRST_YEAR, max: LAST_YEAR, stepsFromZero: true };

export function parseCron(expression: string): ParsedCron {
  const { fields, isBoth } = plainFields(expression);
  const fault = formFault(expression, fields.length);
  if (fault !== null) return fault;
  const [inSecond, inMinute, inHour, inDate, inMonth, inWeekday, inYear] = fields as Seven;
  const read = all({
    seconds: numbersOf(inSecond, second),
    minutes: numbersOf(inMinute, minute),
    hours: numbersOf(inHour, hour),
    dates: datesOf(inDate),
    months: numbersOf(inMonth, month),
    weekdays: weekdaysOf(inWeekday),
    years: numbersOf(inYear, year),
  });
  if (!read.ok) return read;
  const days = daysOf(isAny(inDate), isAny(inWeekday), isBoth);
  const isPattern = startsOpen(inMinute) || startsOpen(inHour);
  const years = isAny(inYear) ? null : read.value.years;
  const cron: Cron = { ...read.value, years, expression, days, isPattern };
  return firstWall(cron, ...SEARCHED) === null ? neverDue(cron) : { ok: true, cron };
}

/** Counted, and filled up where there were fewer. */
type Seven = [string, string, string, string, string, string, string];

/** All seven, in capitals, if there are five to seven; names of schedules written out, and the `+` before weekdays apart. */
export function plainFields(expression: string): { readonly fields: readonly string[]; readonly isBoth: boolean } {
  const name = expression.trim().toLowerCase();
  const fields = (NICKNAMES.get(name) ?? name.toUpperCase()).split(/\s+/);
  if (fields.length === 5) fields.unshift("0");
  if (fields.length === 6) fields.push("*");
  const weekday = String(fields[WEEKDAY]);
  const isBoth = weekday.startsWith("+");
  return { fields: isBoth ? fields.with(WEEKDAY, weekday.slice(1)) : fields, isBoth };
}

function formFault(expression: string, count: number): Fault | null {
  const text = expression.trim();
  if (text.startsWith("@") && count !== 7) {
    const known = [...NICKNAMES.keys()].join(", ");
    return refuse(
      "nickname_unknown",
      `${text} is no schedule's name`,
      `One of ${known}; or an expression of five fields.`,
    );
  }
  if (text.includes(":")) {
    return refuse(
      "not_an_expression",
      "a date or a time of day is no cron expression",
      'Write "30 9 * * *" for half past nine every day.',
    );
  }
  if (count === 7) return null;
  const fields = "minute, hour, day of month, month, day of week";
  return refuse(
    "field_count",
    `a cron expression has five to seven fields, and this one has ${text === "" ? 0 : count}`,
    `Five are ${fields}; six have the second before them, seven the year behind.`,
  );
}

/** The values of all, or the first fault. */
function all<Parts extends { readonly [part: string]: unknown }>(reads: {
  readonly [Part in keyof Parts]: Read<Parts[Part]>;
}): Read<Parts> {
  const values: Partial<Parts> = {};
  for (const part in reads) {
    const read: Read<Parts[typeof part]> = reads[part];
    if (!read.ok) return read;
    values[part] = read.value;
  }
  // Each part has been given its value by the loop.
  return { ok: true, value: values as Parts };
}

function isAny(field: string): boolean {
  return field === "*" || field === "?";
}

function startsOpen(field: string): boolean {
  return field.startsWith("*") || field.startsWith("?");
}

function daysOf(isAnyDate: boolean, isAnyWeekday: boolean, isBoth: boolean): Cron["days"] {
  if (isAnyDate) return isAnyWeekday ? "all" : "weekdays";
  if (isAnyWeekday) return "dates";
  return isBoth ? "both" : "either";
}

function neverDue({ expression }: Cron): ParsedCron {
  return refuse(
    "never_due",
    `${expression} never comes due: no month it lists has a day it lists`,
    "February has 29 days at most, April, June, September and November have 30; L is a month's last day.",
  );
}
