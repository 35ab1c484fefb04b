// Calendars: named lists of dates, which delays, schedules and windows may exclude.
import { z } from "zod";
import { calendarName, plainDate } from "../definition/holidays.ts";
import { isIdOf } from "../ids.ts";
import { CALENDAR_DATES_MAX, CALENDAR_ICS_CHARS_MAX } from "../limits/definition-sizes.ts";

const namedDate = z.strictObject({ date: plainDate, name: z.string().max(200).optional() });

const dates = z
  .array(z.union([plainDate, namedDate]))
  .max(CALENDAR_DATES_MAX)
  .meta({ description: "The dates, each as a text or as an object with a name." });

/** A calendar as a client writes it. The dates come from `dates` or from `ics`. */
export const calendar = z
  .strictObject({
    name: calendarName.refine((name) => !isIdOf("cal", name), { message: "must not begin with cal_" }),
    description: z.string().max(1_000).optional(),
    dates: dates.optional(),
    ics: z
      .string()
      .max(CALENDAR_ICS_CHARS_MAX)
      .optional()
      .meta({ description: "An iCalendar text with events of whole days. It is stored as dates." }),
  })
  .refine((one) => (one.dates === undefined) !== (one.ics === undefined), { message: 'set either "dates" or "ics"' });
export type WrittenCalendar = z.infer<typeof calendar>;

/** A date with its name; null if it has none. */
export type CalendarDate = { readonly date: string; readonly name: string | null };
export type CalendarSettings = { readonly description: string | null; readonly dates: readonly CalendarDate[] };
