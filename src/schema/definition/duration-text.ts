// ISO 8601 durations: their form, and their length in milliseconds if it does not depend on a date.
import { DURATION_MS_MAX } from "../limits/definition-sizes.ts";

/** The form of a duration. Without this check, Temporal would also accept lower case and fractions of hours. */
export const ISO_DURATION = /^[+-]?P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d{1,3})?S)?)?$/;

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
/**
 * The milliseconds of one unit of each part of a duration, in this order: years, months, weeks, days, hours, minutes,
 * seconds.
 */
const PART_MS = [365 * DAY, 30 * DAY, 7 * DAY, DAY, 60 * 60 * SECOND, 60 * SECOND, SECOND];

export function isDurationText(text: string): boolean {
  return ISO_DURATION.test(text);
}

/** Returns true if the duration has no years and no months. Its length then does not depend on its start. */
export function isFixedLength(duration: string): boolean {
  return isDurationText(duration) && !/[YM]/.test(duration.replace(/T.*/, ""));
}

/**
 * Returns the duration in milliseconds, with 30 days per month and 365 days per year. Returns NaN if the text is not a
 * duration.
 */
export function lengthMs(text: string): number {
  const parts = ISO_DURATION.exec(text);
  if (parts === null) return NaN;
  const [years, months, weeks, days, , hours, minutes, seconds] = parts.slice(1);
  const lengths = [years, months, weeks, days, hours, minutes, seconds].map((part) => Number.parseFloat(part ?? "0"));
  const total = lengths.reduce((sum, length, index) => sum + length * Number(PART_MS[index]), 0);
  return (text.startsWith("-") ? -1 : 1) * Math.round(total);
}

export function isTooLong(text: string): boolean {
  return Math.abs(lengthMs(text)) > DURATION_MS_MAX;
}
