// Caps: a journey's limits on the number of messages per subject. A cap is shared by all journeys of a tenant that use
// its name.
import { z } from "zod";
import { CAP_MAX, CAP_PER_MS_MAX, CAP_PER_MS_MIN } from "../limits/subjects/subject-rows.ts";
import { isFixedLength, lengthMs } from "./duration-text.ts";
import { isoDuration, zoneSetting } from "./timing.ts";

export const capName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "must be 1 to 100 letters, digits, _ or -" })
  .meta({ examples: ["gentle"] });

/** The length of a cap's sliding window. Years and months are refused, because their length depends on a date. */
const windowLength = isoDuration.refine(isWindow, {
  message: "must be a second to 366 days, in weeks, days, hours, minutes or seconds, such as P7D",
});

export const cap = z
  .strictObject({
    max: z
      .number()
      .int()
      .min(1)
      .max(CAP_MAX)
      .describe("The maximum number of actions in a window of time, for one subject."),
    per: windowLength
      .optional()
      .describe("The length of a sliding time window, such as P7D. Set either `per` or `calendar`."),
    calendar: z
      .enum(["day"])
      .optional()
      .describe("day: the window is the day from midnight to midnight in `timezone`."),
    timezone: zoneSetting
      .optional()
      .describe("The time zone of the day, or a rule that returns a time zone. Default: the definition's time zone."),
    over: z
      .enum(["wait", "skip"])
      .optional()
      .describe(
        "How the engine handles an action above the cap: wait for the next free slot (default), or skip with the reason `capped`.",
      ),
  })
  .refine(({ per, calendar }) => (per === undefined) !== (calendar === undefined), {
    message: 'set either "per", such as "P7D", or "calendar": "day"',
  })
  .refine(({ timezone: zone, calendar }) => zone === undefined || calendar !== undefined, {
    message: "a sliding window has no time zone: remove timezone",
    path: ["timezone"],
  })
  .meta({ id: "Cap" });
export type Cap = z.infer<typeof cap>;

function isWindow(text: string): boolean {
  const ms = isFixedLength(text) ? lengthMs(text) : Number.NaN;
  return ms >= CAP_PER_MS_MIN && ms <= CAP_PER_MS_MAX;
}
