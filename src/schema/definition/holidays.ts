// Holidays: how delays and schedules treat the dates of a calendar, and the calendars' dates in a stored definition.
import { z } from "zod";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";
import { CALENDAR_DATES_MAX } from "../limits/definition-sizes.ts";

/** The name of a calendar, which is unique in the tenant. */
export const calendarName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  });

export const plainDate = z
  .string()
  .refine(isDate, { message: "must be a date from 1970 to 2500, such as 2026-12-25" })
  .meta({ examples: ["2026-12-25"] });

/** The nearest day before or after that is not in the calendar, or none. */
export const holidayMove = z.enum(["before", "after", "skip"]);
export type HolidayMove = z.infer<typeof holidayMove>;

export const holidays = z.strictObject({
  calendar: calendarName.describe("The name of a calendar of the tenant."),
  move: holidayMove.describe(
    "The effect of a date of the calendar. before, after: the nearest day that is not in the calendar, at the same local time. skip: nothing happens.",
  ),
});

export type WrittenHolidays = z.infer<typeof holidays>;

/** The calendars of a window, on whose dates the window does not open. */
export const exceptCalendars = z.union([calendarName, z.array(calendarName).min(1).max(10)]);

/** The dates of the calendars that a definition names. */
export const pinnedCalendars = z.record(calendarName, z.array(plainDate).max(CALENDAR_DATES_MAX));
export type Calendars = { readonly [name: string]: readonly string[] };

function isDate(text: string): boolean {
  if (!/^(19[7-9]\d|2[0-4]\d\d|2500)-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
