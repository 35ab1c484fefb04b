// Opening hours: on which days and between which times of day something may go out, in whose zone, and how a crowd that
// waited for the door to open is parted.
import { z } from "zod";
import { jsonObject } from "../json.ts";
import { WINDOW_RANGES_MAX, WINDOW_SPREAD_MS_MAX } from "../limits/kernel.ts";
import { lengthMs } from "./duration-text.ts";
import { duration, timezone } from "./timing.ts";

/** As a week has them; a range may go over its end: FRI-MON. */
export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;

const day = `(${weekdays.join("|")})`;
const days = z
  .string()
  .max(100)
  .regex(new RegExp(`^${day}(-${day})?(,${day}(-${day})?)*$`, "i"), {
    message: "days of the week such as MON-FRI, or SAT,SUN",
  })
  .describe("Such as MON-SAT. Default: every day. Over midnight it is the day on which it opens that counts.");
const opensAt = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: "a time of day such as 09:00" })
  .describe("When it opens, such as 09:00.");
const closesAt = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { message: "a time of day such as 20:00, or 24:00" })
  .describe("When it closes; before `from`, it is a time of the next day.");

const range = z
  .strictObject({ days: days.optional(), from: opensAt, to: closesAt })
  .refine(({ from, to }) => from !== to, {
    path: ["to"],
    message: "it opens when it closes: the whole day is 00:00 to 24:00",
  });
export type WindowRange = z.infer<typeof range>;

const spread = duration.refine(isSpread, { message: "a length of time above nothing and up to a day, such as PT15M" });

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
      .describe("Instead of days, from and to: several of them. It is open in each."),
    spread: spread
      .optional()
      .describe("What waited for it to open goes within so long, evenly, instead of all at once. Default: at once."),
    timezone: z
      .union([timezone, jsonObject])
      .optional()
      .describe(
        "An IANA time zone, or a rule (JSONLogic) giving one. Default, and where it gives none: the definition's.",
      ),
  })
  .refine((one) => (one.hours === undefined) === (one.from !== undefined && one.to !== undefined), {
    message: "either from and to, or hours",
  })
  .refine(({ hours, days: onDays, from, to }) => hours === undefined || !(onDays ?? from ?? to), {
    path: ["hours"],
    message: "hours has the days and times: leave out days, from and to beside it",
  })
  .refine(({ from, to }) => from === undefined || from !== to, {
    path: ["to"],
    message: "it opens when it closes: the whole day is 00:00 to 24:00",
  })
  .meta({ id: "Window" });
export type Window = z.infer<typeof window>;

function isSpread(length: string | number): boolean {
  const ms = typeof length === "number" ? length : lengthMs(length);
  return ms > 0 && ms <= WINDOW_SPREAD_MS_MAX;
}
