// Cron expressions: parses an expression and reports its errors. The parser needs no time zone and no current time.
import { LAST_YEAR } from "#schema/limits/definition-sizes.ts";
import { datesOf, type Dates, firstWall } from "./wall-times.ts";
import { numbersOf, refuse, type Fault, type Field, type Read, weekdaysOf } from "./cron-field.ts";

export type Cron = {
  /** The expression as its author has written it. */
  readonly expression: string;
  /** The due seconds in ascending order, each once. The fields below have the same form. */
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: readonly number[];
  /** The due years; null if the expression applies to every year. */
  readonly years: readonly number[] | null;
  readonly dates: Dates;
  /**
   * For each weekday, Sunday first: which of its days in a month are due, as bits (see weekdaysOf in cron-field.ts).
   */
  readonly weekdays: readonly number[];
  /**
   * Which fields decide the due days. all: every day is due. dates and weekdays: only that field restricts the days.
   * either and both: both fields restrict them.
   */
  readonly days: "all" | "dates" | "weekdays" | "either" | "both";
  /**
   * True if the minute or the hour starts with `*`. The expression then describes an interval. If the clock repeats an
   * hour, an interval runs in both passes of it.
   */
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
/** The index of the weekday in the list of seven fields. */
const WEEKDAY = 5;
const FIRST_YEAR = 1970;
/**
 * The years that are searched for an occurrence. The calendar repeats after 400 years, even the weekdays. If these
 * years contain no occurrence, the expression is never due.
 */
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
  const read = readAll({
    seconds: numbersOf(inSecond, second),
    minutes: numbersOf(inMinute, minute),
    hours: numbersOf(inHour, hour),
    dates: datesOf(inDate),
    months: numbersOf(inMonth, month),
    weekdays: weekdaysOf(inWeekday),
    years: numbersOf(inYear, year),
  });
  if (!read.ok) return read;
  const days = daysOf(isWildcard(inDate), isWildcard(inWeekday), isBoth);
  const isPattern = startsWithWildcard(inMinute) || startsWithWildcard(inHour);
  const years = isWildcard(inYear) ? null : read.value.years;
  const cron: Cron = { ...read.value, years, expression, days, isPattern };
  return firstWall(cron, ...SEARCHED) === null ? neverDueFault(cron) : { ok: true, cron };
}

/** The seven fields of an expression: an expression with fewer fields gets second 0 and every year. */
type Seven = [string, string, string, string, string, string, string];

/**
 * The seven fields in capitals. A name such as @daily is replaced by its expression. An expression of five or six
 * fields is completed to seven. `isBoth`: true if a `+` precedes the weekdays.
 */
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
      `"${text}" is not a known alias of a cron expression`,
      `Use one of ${known}, or an expression of five fields.`,
    );
  }
  if (text.includes(":")) {
    return refuse(
      "not_an_expression",
      "the value is a date or a time of day, not a cron expression",
      'For 09:30 every day, write "30 9 * * *".',
    );
  }
  if (count === 7) return null;
  const fields = "minute, hour, day of month, month, day of week";
  return refuse(
    "field_count",
    `a cron expression must have five to seven fields; this one has ${text === "" ? 0 : count}`,
    `Write five fields: ${fields}. A sixth field in front means seconds; a seventh at the end means years.`,
  );
}

/** The values of all fields; if a field is invalid, the fault of the first invalid one. */
function readAll<Parts extends { readonly [part: string]: unknown }>(reads: {
  readonly [Part in keyof Parts]: Read<Parts[Part]>;
}): Read<Parts> {
  const values: Partial<Parts> = {};
  for (const part in reads) {
    const read: Read<Parts[typeof part]> = reads[part];
    if (!read.ok) return read;
    values[part] = read.value;
  }
  // The loop above has set every field of the result.
  return { ok: true, value: values as Parts };
}

function isWildcard(field: string): boolean {
  return field === "*" || field === "?";
}

function startsWithWildcard(field: string): boolean {
  return field.startsWith("*") || field.startsWith("?");
}

function daysOf(isAnyDate: boolean, isAnyWeekday: boolean, isBoth: boolean): Cron["days"] {
  if (isAnyDate) return isAnyWeekday ? "all" : "weekdays";
  if (isAnyWeekday) return "dates";
  return isBoth ? "both" : "either";
}

function neverDueFault({ expression }: Cron): ParsedCron {
  return refuse(
    "never_due",
    `the cron expression ${expression} never fires, because its months do not have its days`,
    "Choose a day that the month has. February has at most 29 days; April, June, September and November have 30. L means the last day.",
  );
}
