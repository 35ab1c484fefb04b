// Caps: limits on the number of actions per subject. A cap is shared by all actions of a tenant that use its name:
// actions of definitions, standalone actions and recurring actions.
import { z } from "zod";
import { jsonObject } from "../json.ts";
import { REFERENCE_CHARS_MAX } from "../limits/api-requests.ts";
import { CAP_MAX, CAP_PER_MS_MAX, CAP_PER_MS_MIN } from "../limits/subjects/subject-rows.ts";
import { isFixedLength, lengthMs } from "./duration-text.ts";
import { isoDuration, zoneSetting } from "./timing.ts";

export const capName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "must be 1 to 100 letters, digits, _ or -" })
  .meta({ examples: ["gentle"] });

/** The length of a cap's sliding window. Years and months are refused, because their length depends on a date. */
export const windowLength = isoDuration.refine(isWindow, {
  message: "must be a second to 366 days, in weeks, days, hours, minutes or seconds, such as P7D",
});

const subject = z.union([z.string().min(1).max(REFERENCE_CHARS_MAX), jsonObject]);
const ofSubject =
  "The subject's key: a text, which may contain templates, or a rule (JSONLogic) that returns a text or a number.";

const fields = {
  max: z
    .number()
    .int()
    .min(1)
    .max(CAP_MAX)
    .describe("The maximum number of actions in a window of time, for one subject."),
  per: windowLength
    .optional()
    .describe("The length of a sliding time window, such as P7D. Set either `per` or `calendar`."),
  calendar: z.enum(["day"]).optional().describe("day: the window is the day from midnight to midnight in `timezone`."),
  timezone: zoneSetting
    .optional()
    .describe("The time zone of the day, or a rule that returns a time zone. Default: the definition's time zone."),
  over: z
    .enum(["wait", "skip"])
    .optional()
    .describe(
      "How the engine handles an action above the cap: wait for the next free slot (default), or skip with the reason `capped`.",
    ),
};

type WindowFields = {
  readonly per?: string | undefined;
  readonly calendar?: "day" | undefined;
  readonly timezone?: unknown;
};
const oneWindow = ({ per, calendar }: WindowFields): boolean => (per === undefined) !== (calendar === undefined);
const noOneWindow = { message: 'set either "per", such as "P7D", or "calendar": "day"' };
const zoneOfDay = ({ timezone: zone, calendar }: WindowFields): boolean => zone === undefined || calendar !== undefined;
const noZoneOfDay = { message: "a sliding window has no time zone: remove timezone", path: ["timezone"] };

/** A cap in the `caps` of a definition. */
export const cap = z
  .strictObject({
    ...fields,
    subject: subject.optional().describe(`${ofSubject} Default: the subject of the execution.`),
  })
  .refine(oneWindow, noOneWindow)
  .refine(zoneOfDay, noZoneOfDay)
  .meta({ id: "Cap" });
export type Cap = z.infer<typeof cap>;

/** A cap with its name, as standalone and recurring actions contain it. No execution gives it a subject. */
export const inlineCap = z
  .strictObject({
    name: capName.describe("The name of the cap. All actions of the tenant whose cap has this name count together."),
    ...fields,
    subject: subject.describe(ofSubject),
  })
  .refine(oneWindow, noOneWindow)
  .refine(zoneOfDay, noZoneOfDay)
  .meta({ id: "InlineCap" });

/** A cap with its name, as programs use it. */
export type NamedCap = Cap & { readonly name: string };

function isWindow(text: string): boolean {
  const ms = isFixedLength(text) ? lengthMs(text) : Number.NaN;
  return ms >= CAP_PER_MS_MIN && ms <= CAP_PER_MS_MAX;
}
