// How much one customer is to be bothered: a journey's caps, counted for each of its subjects. A cap goes by its name: all
// journeys of a tenant that name the same one share it.
import { z } from "zod";
import { jsonObject } from "../json.ts";
import { CAP_MAX, CAP_PER_MS_MAX, CAP_PER_MS_MIN } from "../limits/subjects.ts";
import { isFixedLength, lengthMs } from "./duration-text.ts";
import { isoDuration, timezone } from "./timing.ts";

export const capName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "1 to 100 letters, digits, _ or -" })
  .meta({ examples: ["gentle"] });

/** A window that moves with the clock, and is as long whenever it begins. */
const windowLength = isoDuration.refine(isWindow, {
  message: "a second to 366 days, in weeks, days, hours, minutes or seconds, such as P7D",
});

export const cap = z
  .strictObject({
    max: z.number().int().min(1).max(CAP_MAX).describe("So many actions in a window, for one subject."),
    per: windowLength.optional().describe("The window, which moves with the clock: P7D. Either this or `calendar`."),
    calendar: z.enum(["day"]).optional().describe("The window is the subject's day, from midnight to midnight."),
    timezone: z
      .union([timezone, jsonObject])
      .optional()
      .describe("Whose midnight: a zone, or a rule that gives one. Default: the definition's."),
    over: z
      .enum(["wait", "skip"])
      .optional()
      .describe("What becomes of an action above it: it waits for the next slot (default), or is skipped as `capped`."),
  })
  .refine(({ per, calendar }) => (per === undefined) !== (calendar === undefined), {
    message: 'give either per, such as "P7D", or calendar: "day"',
  })
  .refine(({ timezone: zone, calendar }) => zone === undefined || calendar !== undefined, {
    message: "a window that moves with the clock has no zone: leave timezone out",
    path: ["timezone"],
  })
  .meta({ id: "Cap" });
export type Cap = z.infer<typeof cap>;

function isWindow(text: string): boolean {
  const ms = isFixedLength(text) ? lengthMs(text) : Number.NaN;
  return ms >= CAP_PER_MS_MIN && ms <= CAP_PER_MS_MAX;
}
