// Moments and lengths of time as people write them, turned into milliseconds. Knows calendars and zones, no clock.
import { DURATION_MS_MAX } from "#schema/limits/kernel.ts";
import { Temporal } from "temporal-polyfill";
import type { Json } from "#schema/json.ts";
import type { Duration } from "#schema/definition/timing.ts";
import { assert } from "../assert.ts";

/** The same form the schema accepts: Temporal alone would also take lower case and fractions of hours. */
const ISO_DURATION = /^[+-]?P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d{1,3})?S)?)?$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;
const HAS_OFFSET = /[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** null for what is no moment: an ISO date (midnight in the zone), date-time (local without offset) or epoch ms is. */
export function instant(value: Json, timezone: string): number | null {
  if (typeof value === "number") return attempt(() => Temporal.Instant.fromEpochMilliseconds(Math.floor(value)));
  if (typeof value !== "string" || !ISO_DATE.test(value)) return null;
  if (value.endsWith("]")) return attempt(() => Temporal.ZonedDateTime.from(value));
  if (HAS_OFFSET.test(value)) return attempt(() => Temporal.Instant.from(value));
  return attempt(() => Temporal.PlainDateTime.from(value).toZonedDateTime(timezone));
}

function attempt(read: () => { readonly epochMilliseconds: number }): number | null {
  try {
    return read().epochMilliseconds;
  } catch {
    return null;
  }
}

export function isDurationText(text: string): boolean {
  return ISO_DURATION.test(text);
}

/** null where the text is no duration, or one longer than Temporal counts. */
export function parseDuration(text: string): Temporal.Duration | null {
  if (!isDurationText(text)) return null;
  try {
    return Temporal.Duration.from(text);
  } catch {
    return null;
  }
}

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
/** Parts in the order in which a duration writes them: years, months, weeks, days, hours, minutes, seconds. */
const PART_MS = [365 * DAY, 30 * DAY, 7 * DAY, DAY, 60 * 60 * SECOND, 60 * SECOND, SECOND];

/** The length of a duration where no date is at hand: a day has 24 hours, a month 30 days, a year 365. */
export function durationMs(duration: Duration): number {
  if (typeof duration === "number") return Math.min(duration, DURATION_MS_MAX);
  const parts = ISO_DURATION.exec(duration);
  assert(parts, `"${duration}" is checked to be a duration before anybody asks for its length.`);
  const [years, months, weeks, days, , hours, minutes, seconds] = parts.slice(1);
  const lengths = [years, months, weeks, days, hours, minutes, seconds].map((part) => Number.parseFloat(part ?? "0"));
  const total = lengths.reduce((sum, length, index) => sum + length * Number(PART_MS[index]), 0);
  return (duration.startsWith("-") ? -1 : 1) * Math.min(Math.round(total), DURATION_MS_MAX);
}

/** Whether the duration is as long wherever it begins: no years, no months. */
export function isFixedLength(duration: string): boolean {
  return isDurationText(duration) && !/[YM]/.test(duration.replace(/T.*/, ""));
}
