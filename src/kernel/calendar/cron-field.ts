// The fields of a cron expression: parses the numbers, names, ranges and weekdays of one field.
import { didYouMean } from "#schema/suggest.ts";
import type { FaultCode } from "../computing/fault.ts";

export type Field = {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /**
   * The names for the field's numbers, in capitals. The first name means the number `firstNamed`, the next one the
   * number after it.
   */
  readonly names: readonly string[];
  readonly firstNamed: number;
  /**
   * True for the field of years: a step counts from year 0. Every fourth year therefore means 2000 and 2004, whatever
   * the first year is.
   */
  readonly stepsFromZero: boolean;
};

/**
 * The codes of refused expressions. Code and tests compare codes and never messages, because the wording of messages
 * may change.
 */
export type CalendarCode =
  | "beyond_month"
  | "field_count"
  | "never_due"
  | "nickname_unknown"
  | "not_an_expression"
  | "not_understood"
  | "number_missing"
  | "out_of_range"
  | "range_backwards"
  | "range_invalid"
  | "start_missing"
  | "step_invalid"
  | "step_open"
  | "step_repeated"
  | "weekday_invalid"
  | "weekday_missing"
  | FaultCode;
export type Fault = {
  readonly ok: false;
  readonly code: CalendarCode;
  readonly message: string;
  readonly hint: string;
};
export type Read<Value> = { readonly ok: true; readonly value: Value } | Fault;

export function refuse(code: CalendarCode, message: string, hint: string): Fault {
  return { ok: false, code, message, hint };
}

/** The numbers that the field lists, in ascending order and without duplicates. */
export function numbersOf(text: string, field: Field): Read<readonly number[]> {
  const numbers = new Set<number>();
  for (const item of text.split(",")) {
    const read = itemOf(item, field);
    if (!read.ok) return read;
    for (const number of read.value) numbers.add(number);
  }
  return { ok: true, value: [...numbers].toSorted((a, b) => a - b) };
}

/** The numbers of one item of a list. An item is `*`, a number or a range; `*` and a range may have a step. */
export function itemOf(written: string, field: Field): Read<readonly number[]> {
  const item = written.replace(/^\?/, "*");
  const [range, step] = splitAtMark(item, "/");
  if (step?.includes("/"))
    return refuse(
      "step_repeated",
      `${field.name}: ${item} has two steps, but only one is allowed`,
      "Write at most one slash, as in */15.",
    );
  if (step !== null && range !== "*" && !range.includes("-")) return openStepFault(range, step, field);
  const ends = readRange(range, item, field);
  if (!ends.ok) return ends;
  const by = step === null ? ({ ok: true, value: 1 } as const) : readStep(step, item, field);
  if (!by.ok) return by;
  const { from, to } = ends.value;
  const start = field.stepsFromZero && range === "*" ? Math.ceil(from / by.value) * by.value : from;
  const numbers: number[] = [];
  for (let number = start; number <= to; number += by.value) numbers.push(number);
  return { ok: true, value: numbers };
}

/** The text before the first mark, and the text after that mark. The second text is null if the mark does not occur. */
export function splitAtMark(text: string, mark: string): readonly [string, string | null] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * The refusal of a step after a single number. Some cron programs read 5/10 as 5, and others as 5-59/10. The author
 * must write the one that is meant.
 */
function openStepFault(range: string, step: string, { name, max }: Field): Fault {
  const item = `${range}/${step}`;
  if (range === "")
    return refuse("start_missing", `${name}: no value is written before the step ${item}`, `Write */${step}.`);
  return refuse(
    "step_open",
    `${name}: ${item} has a step but no end, and cron programs disagree about its meaning`,
    `Write ${range}-${max}/${step} to count from ${range}, or */${step} to count from the start of the field.`,
  );
}

type Ends = { readonly from: number; readonly to: number };

function readRange(range: string, item: string, field: Field): Read<Ends> {
  const { name, min, max } = field;
  if (range === "*") return { ok: true, value: { from: min, to: max } };
  const [low, high] = splitAtMark(range, "-");
  if (high?.includes("-"))
    return refuse("range_invalid", `${name}: ${item} is not a valid range`, "Write a range with two ends, as in 1-5.");
  const from = readNumber(low, item, field);
  if (!from.ok) return from;
  if (high === null) return { ok: true, value: { from: from.value, to: from.value } };
  const to = readNumber(high, item, field);
  if (!to.ok) return to;
  // At the end of a range such as FRI-SUN, Sunday is 7 instead of 0, so that the range ascends.
  const end = high === "SUN" ? max : to.value;
  if (from.value <= end) return { ok: true, value: { from: from.value, to: end } };
  const hint = `Write two ranges: ${from.value}-${max},${min}-${end}.`;
  return refuse("range_backwards", `${name}: the range ${item} ends before it starts`, hint);
}

function readStep(text: string, item: string, { name, min, max }: Field): Read<number> {
  const size = max - min + 1;
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (step >= 1 && step <= size) return { ok: true, value: step };
  const hint = `Write a step from 1 to ${size}. For longer intervals, use the field of a longer unit, such as the hour.`;
  return refuse("step_invalid", `${name}: the step of ${item} is larger than the largest value of this field`, hint);
}

function readNumber(text: string, item: string, field: Field): Read<number> {
  const { name, min, max, names, firstNamed } = field;
  const named = names.indexOf(text);
  if (named >= 0) return { ok: true, value: named + firstNamed };
  const range = `${name} must be from ${min} to ${max}`;
  if (/^\d{1,4}$/.test(text)) {
    const number = Number(text);
    if (number >= min && number <= max) return { ok: true, value: number };
    return refuse("out_of_range", `${name}: ${text} is not in the allowed range`, `The ${range}.`);
  }
  if (text === "")
    return refuse(
      "number_missing",
      `${name}: ${item === "" ? "an item of the list" : item} contains no number`,
      `The ${range}.`,
    );
  const guess = names.length === 0 ? null : (names.find((each) => text.startsWith(each)) ?? didYouMean(text, names));
  const hint =
    guess === null
      ? `The ${range}. You may combine these values in lists, ranges and steps.`
      : `Did you mean ${guess}?`;
  return refuse("not_understood", `${name}: the value ${text} is not valid`, hint);
}

const NAMES = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/** The field of weekdays, in which both 0 and 7 are Sunday. */
const field: Field = { name: "day of week", min: 0, max: 7, names: NAMES, firstNamed: 0, stepsFromZero: false };
/** All five bits of a weekday: it is due in every week of the month. */
const EVERY = 31;
const LAST = 32;

/**
 * The due days of each weekday, Sunday first, as bits. Bits 0 to 4 are the first to the fifth such day of a month, and
 * bit 5 is the last one.
 */
export function weekdaysOf(text: string): Read<readonly number[]> {
  const which = NAMES.map(() => 0);
  for (const item of text.split(",")) {
    const [days, nth] = splitWeekday(item);
    const meant = nthWeekdayBits(nth, item);
    if (!meant.ok) return meant;
    const read = itemOf(days, field);
    if (!read.ok) return read;
    for (const day of read.value) which[day % 7] = Number(which[day % 7]) | meant.value;
  }
  return { ok: true, value: which };
}

function splitWeekday(item: string): readonly [string, string | null] {
  return item.endsWith("L") && !item.includes("#") ? [item.slice(0, -1), "L"] : splitAtMark(item, "#");
}

function nthWeekdayBits(nth: string | null, item: string): Read<number> {
  if (item === "L") {
    const hint =
      "Write 5L for the last Friday of the month, or 6 for every Saturday. For the last day of the month, write L in the field day of month.";
    return refuse("weekday_missing", "day of week: L must follow a weekday, as in 5L", hint);
  }
  if (nth === null) return { ok: true, value: EVERY };
  if (nth === "L") return { ok: true, value: LAST };
  if (/^[1-5]$/.test(nth)) return { ok: true, value: 1 << (Number(nth) - 1) };
  return refuse(
    "weekday_invalid",
    `day of week: ${item} must have the form FRI#2, which means the second Friday of the month`,
    "Write FRI#1 to FRI#5 for the first to fifth Friday, or FRIL for the last Friday.",
  );
}

/**
 * The due dates of one month as bits; bit 0 is the first day. `length`: the number of days in the month. `first`: the
 * weekday of the month's first day.
 */
export function weekdaysIn(weekdays: readonly number[], length: number, first: number): number {
  let due = 0;
  for (let date = 1; date <= length; date += 1) {
    const nth = 1 << Math.floor((date - 1) / 7);
    const meant = Number(weekdays[(first + date - 1) % 7]);
    if ((meant & nth) !== 0 || ((meant & LAST) !== 0 && date + 7 > length)) due |= 1 << (date - 1);
  }
  return due;
}
