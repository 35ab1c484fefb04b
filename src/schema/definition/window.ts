// Time windows: the days and times at which an action may be sent, and how runs that waited are spread after the
// opening.
import { z } from "zod";
import { WINDOW_RANGES_MAX, WINDOW_SPREAD_MS_MAX } from "../limits/definition-sizes.ts";
import { lengthMs } from "./duration-text.ts";
import { exceptCalendars } from "./holidays.ts";
import { duration, zoneSetting } from "./timing.ts";

/** The weekdays in the order of a week. A range may cross the end of the week: FRI-MON. */
export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;

// The pattern names both cases of each letter, because JSON Schema has no flag for it.
const day = `(${weekdays.map((name) => [...name].map((letter) => `[${letter}${letter.toLowerCase()}]`).join("")).join("|")})`;
const days = z
  .string()
  .max(100)
  .regex(new RegExp(`^${day}(-${day})?(,${day}(-${day})?)*$`), {
    message: "must be days of the week such as MON-FRI, or SAT,SUN",
  })
  .describe(
    "The days of the week, such as MON-SAT. If the hours go past midnight, the day of the opening counts. Default: every day.",
  );
const opensAt = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: "must be a time of day such as 09:00" })
  .describe("The time at which the window opens, such as 09:00.");
const closesAt = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { message: "must be a time of day such as 20:00, or 24:00" })
  .describe("The time at which the window closes. If it is before `from`, the window closes on the next day.");

const sameTimes = { path: ["to"], message: "must differ from the opening time: the whole day is 00:00 to 24:00" };

const range = z
  .strictObject({ days: days.optional(), from: opensAt, to: closesAt })
  .refine(({ from, to }) => from !== to, sameTimes);
export type WindowRange = z.infer<typeof range>;

const spread = duration.refine(isSpread, { message: "must be a positive length of time up to a day, such as PT15M" });

/** A window is open either from `from` to `to` on its `days`, or during each of the ranges in `hours`. */
export const window = z
  .strictObject({
    days: days.optional(),
    from: opensAt.optional(),
    to: closesAt.optional(),
    hours: z
      .array(range)
      .min(1)
      .max(WINDOW_RANGES_MAX)
      .optional()
      .describe("A list of opening hours, each with its days, instead of `days`, `from` and `to`."),
    except: exceptCalendars
      .optional()
      .describe("A calendar of the tenant, or several. The window does not open on their dates."),
    spread: spread
      .optional()
      .describe(
        "Spreads waiting runs evenly over this time after the opening. Default: all runs start at the opening.",
      ),
    timezone: zoneSetting
      .optional()
      .describe(
        "An IANA time zone, or a rule (JSONLogic) that returns a time zone. Default: the definition's time zone, also if the rule returns nothing.",
      ),
  })
  .refine(({ hours, from, to }) => (hours === undefined) === (from !== undefined && to !== undefined), {
    message: 'set either "from" and "to", or "hours"',
  })
  .refine(({ hours, days: onDays, from, to }) => hours === undefined || !(onDays ?? from ?? to), {
    path: ["hours"],
    message: '"hours" already contains the days and times: remove "days", "from" and "to"',
  })
  .refine(({ from, to }) => from === undefined || from !== to, sameTimes)
  .meta({ id: "Window" });
export type Window = z.infer<typeof window>;

function isSpread(length: string | number): boolean {
  const ms = typeof length === "number" ? length : lengthMs(length);
  return ms > 0 && ms <= WINDOW_SPREAD_MS_MAX;
}
