// The field "day of week": for each weekday lists all in a month, the nth (FRI#2) or the last (FRIL, FRI#L).
import { itemOf, parted, refuse, type Field, type Read } from "./field.ts";

const NAMES = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/** Sunday is 0 and 7. */
const field: Field = { name: "day of week", min: 0, max: 7, names: NAMES, firstNamed: 0, stepsFromZero: false };
/** Bits 0 to 4 are the first to the fifth such weekday of a month. */
const EVERY = 31;
const LAST = 32;

/** By weekday, Sunday first. Bits 0 to 4 mean the first to the fifth in the month, bit 5 the last. */
export function weekdaysOf(text: string): Read<readonly number[]> {
  const which = NAMES.map(() => 0);
  for (const item of text.split(",")) {
    const [days, nth] = split(item);
    const meant = nthOf(nth, item);
    if (!meant.ok) return meant;
    const read = itemOf(days, field);
    if (!read.ok) return read;
    for (const day of read.value) which[day % 7] = Number(which[day % 7]) | meant.value;
  }
  return { ok: true, value: which };
}

function split(item: string): readonly [string, string | null] {
  return item.endsWith("L") && !item.includes("#") ? [item.slice(0, -1), "L"] : parted(item, "#");
}

function nthOf(nth: string | null, item: string): Read<number> {
  if (item === "L") {
    const hint =
      "Write 5L for the last Friday of the month, 6 for every Saturday; the last day of the month belongs in the field day of month.";
    return refuse("weekday_missing", "day of week: L needs a weekday", hint);
  }
  if (nth === null) return { ok: true, value: EVERY };
  if (nth === "L") return { ok: true, value: LAST };
  if (/^[1-5]$/.test(nth)) return { ok: true, value: 1 << (Number(nth) - 1) };
  return refuse(
    "weekday_invalid",
    `day of week: ${item} is not a weekday of a month`,
    "Write FRI#1 to FRI#5, or FRIL for the last one.",
  );
}

/**
 * The dates of one month as bits; bit 0 is the first day. `length`: number of days. `first`: weekday of its first day.
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
