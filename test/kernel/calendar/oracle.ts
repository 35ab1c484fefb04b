// The oracle of cron occurrences, by brute force. For every minute of every day it checks whether the expression lists
// the minute, and for every offset of the zone whether the clock shows the minute then. It is slow, and shares no code
// with the calendar: it reads the random draws instead of the text.
import type { ClockChange } from "#kernel/calendar/zone.ts";
import type { Fold, Gap } from "#schema/definition/schedule.ts";
import { aheadAt } from "./clock-changes.ts";
import type { Drawn, Item } from "./random-crons.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type Choice = { readonly gap: Gap; readonly fold: Fold };
export type Expected = {
  readonly at: number;
  readonly local: string;
  readonly ahead: number;
  readonly dst: ClockChange;
};

/** All occurrences from one instant (inclusive) to another (exclusive), in order. */
export function expectedBetween(
  drawn: Drawn,
  zone: string,
  [from, to]: readonly [number, number],
  choice: Choice,
): readonly Expected[] {
  const found = new Map<number, Expected>();
  const firstDay = Math.floor(from / DAY) * DAY - 2 * DAY;
  for (let day = firstDay; day < to + 2 * DAY; day += DAY) {
    if (!isDay(drawn, day)) continue;
    const aheads = aheadsAround(zone, day);
    for (let wall = day; wall < day + DAY; wall += 60_000) {
      if (!isMinute(drawn, wall)) continue;
      for (const second of secondsOf(drawn)) {
        for (const each of instantsOf(wall + second * 1_000, zone, aheads, isPattern(drawn), choice)) {
          // A skipped reading that is moved to an instant with its own occurrence counts as that occurrence.
          if (each.dst !== "gap" || !found.has(each.at)) found.set(each.at, each);
        }
      }
    }
  }
  return [...found.values()].filter(({ at }) => at >= from && at < to).toSorted((a, b) => a.at - b.at);
}

/** The offsets of the days around, in the order in which they apply. */
function aheadsAround(zone: string, day: number): readonly number[] {
  const seen: number[] = [];
  for (let at = day - 40 * HOUR; at <= day + DAY + 40 * HOUR; at += 4 * HOUR) {
    const ahead = aheadAt(zone, at);
    if (!seen.includes(ahead)) seen.push(ahead);
  }
  return seen;
}

function instantsOf(
  wall: number,
  zone: string,
  aheads: readonly number[],
  pattern: boolean,
  { gap, fold }: Choice,
): readonly Expected[] {
  const shown = (at: number, ahead: number, dst: ClockChange): Expected => ({
    at,
    local: new Date(at + ahead).toISOString().slice(0, 19),
    ahead,
    dst,
  });
  const all = aheads.filter((ahead) => aheadAt(zone, wall - ahead) === ahead).map((ahead) => wall - ahead);
  const [one, other] = all.toSorted((a, b) => a - b);
  if (one === undefined) {
    // The clock never shows this reading: the old offset applies, so the shown reading is later.
    const at = wall - Number(aheads[0]);
    return gap === "skip" ? [] : [shown(at, aheadAt(zone, at), "gap")];
  }
  if (other === undefined) return [shown(one, wall - one, "none")];
  const first = shown(one, wall - one, "fold_first");
  const second = shown(other, wall - other, "fold_second");
  const passes = fold === "auto" ? (pattern ? "both" : "first") : fold;
  return passes === "both" ? [first, second] : [passes === "first" ? first : second];
}

function isPattern({ minute, hour }: Drawn): boolean {
  return minute[0]?.kind === "all" || hour[0]?.kind === "all";
}

function secondsOf({ second }: Drawn): readonly number[] {
  return Array.from({ length: 60 }, (_, each) => each).filter((each) => lists(second, each, 0));
}

function isMinute({ minute, hour }: Drawn, wall: number): boolean {
  return lists(minute, new Date(wall).getUTCMinutes(), 0) && lists(hour, new Date(wall).getUTCHours(), 0);
}

function isDay({ date, month, weekday, isBoth }: Drawn, day: number): boolean {
  if (!lists(month, new Date(day).getUTCMonth() + 1, 1)) return false;
  const byDate = date.some((item) => isDate(item, day));
  const byWeekday = weekday.some((item) => isWeekday(item, day));
  if (isOpen(date)) return byWeekday;
  if (isOpen(weekday)) return byDate;
  return isBoth ? byDate && byWeekday : byDate || byWeekday;
}

function isOpen([item, ...more]: readonly Item[]): boolean {
  return more.length === 0 && item?.kind === "all" && item.step === 1;
}

function isDate(item: Item, day: number): boolean {
  const days = monthOf(day);
  if (item.kind === "fromEnd") return days.at(-1 - item.before) === day;
  const workdays = days.filter((each) => new Date(each).getUTCDay() % 6 !== 0);
  if (item.kind === "lastWorkday") return workdays.at(-1) === day;
  if (item.kind !== "nearest") return lists([item], new Date(day).getUTCDate(), 1);
  const meant = days[item.date - 1];
  if (meant === undefined) return false;
  const [nearest] = workdays.toSorted((a, b) => Math.abs(a - meant) - Math.abs(b - meant));
  return nearest === day;
}

function isWeekday(item: Item, day: number): boolean {
  const weekday = new Date(day).getUTCDay();
  if (item.kind !== "nth") return lists([item], weekday, 0);
  const same = monthOf(day).filter((each) => new Date(each).getUTCDay() === item.weekday);
  return same.at(item.nth === "last" ? -1 : item.nth - 1) === day;
}

/** The starts of all days of the month that contains the day. */
function monthOf(day: number): readonly number[] {
  const date = new Date(day);
  const days: number[] = [];
  for (let each = Date.UTC(date.getUTCFullYear(), date.getUTCMonth()); ; each += DAY) {
    if (new Date(each).getUTCMonth() !== date.getUTCMonth()) return days;
    days.push(each);
  }
}

function lists(items: readonly Item[], number: number, min: number): boolean {
  return items.some((item) => {
    if (item.kind === "all") return (number - min) % item.step === 0;
    return item.kind === "range" && number >= item.from && number <= item.to && (number - item.from) % item.step === 0;
  });
}
