// A cron expression on the wall clock: finds the first or last reading that it lists in a stretch. A reading is written
// as epoch milliseconds as if the clock showed UTC; time zones are handled elsewhere.
import type { Cron } from "./cron.ts";
import { datesIn } from "./dates.ts";
import { weekdaysIn } from "./weekdays.ts";

const SECOND = 1_000;
const DAY = 86_400_000;

/** The first reading from `from` (inclusive) to `before` (exclusive); null if there is none. */
export function firstWall(cron: Cron, from: number, before: number): number | null {
  for (let month = monthOf(from); startOf(month) < before; month += 1) {
    const start = startOf(month);
    for (let due = dueDates(cron, month), day = start; due !== 0; due >>>= 1, day += DAY) {
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
export function lastWall(cron: Cron, from: number, before: number): number | null {
  for (let month = monthOf(before - 1); startOf(month + 1) > from; month -= 1) {
    const start = startOf(month);
    const due = dueDates(cron, month);
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

/** Months are counted continuously across years, so month + 1 is always the next month. */
function monthOf(wall: number): number {
  const date = new Date(wall);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
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

/** Seconds of the day, at or after `from`; null if the day has no further one. */
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

/** Seconds of the day, before `before`. */
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
