// Timing: delays as milliseconds, as an ISO 8601 duration, or as a named delay relative to a date.
import { z } from "zod";
import { jsonObject, rule, type JsonObject, type Rule } from "../json.ts";
import { DURATION_MS_MAX } from "../limits/definition-sizes.ts";
import { isTooLong, ISO_DURATION, lengthMs } from "./duration-text.ts";
import { holidays } from "./holidays.ts";

/**
 * A duration as text. Its form and range are checked here. The kernel adds it to a date, because the length of a month
 * differs.
 */
export const isoDuration = z
  .string()
  .regex(ISO_DURATION, { message: "must be an ISO 8601 duration such as P3D, PT90M or -P42D" })
  .refine((text) => !isTooLong(text), { message: "must be a duration of at most 400 years" });

export const duration = z.union([z.number().int().nonnegative().max(DURATION_MS_MAX), isoDuration]);
export type Duration = z.infer<typeof duration>;

export const timezone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimezone, { message: "must be an IANA time zone such as Europe/Zurich" });

/**
 * A rule that returns a time zone. With a fallback, it is written as an object with exactly the fields `rule` and
 * `fallback`, which is no rule of JSONLogic, because a rule has one operator.
 */
const zoneRule = jsonObject.superRefine((written, context) => {
  if (!Object.hasOwn(written, "fallback")) return;
  const parsed = zoneWithFallback.safeParse(written);
  for (const { path, message } of parsed.error?.issues ?? []) context.addIssue({ code: "custom", path, message });
});
const zoneWithFallback = z.strictObject({ rule: jsonObject, fallback: timezone });

/** A time zone, or a rule that returns one. */
export const zoneSetting = z.union([timezone, zoneRule]);
export type ZoneSetting = z.infer<typeof zoneSetting>;

/** The rule of a setting that is not the name of a zone, and the fallback; null if there is none. */
export function zoneRuleOf(setting: JsonObject): { readonly rule: Rule; readonly fallback: string | null } {
  const { rule: inner = null, fallback } = setting;
  return typeof fallback === "string" ? { rule: inner, fallback } : { rule: setting, fallback: null };
}

/** A positive duration: how late a run or an occurrence may start. */
const graceLength = duration.refine((length) => (typeof length === "number" ? length : lengthMs(length)) > 0, {
  message: "must be a positive length of time, such as P21D",
});

const ifPast = z.union([z.enum(["run", "skip"]), z.strictObject({ runWithin: graceLength })]);

/**
 * The instant that a local time means if the clock skips or repeats it. `compatible`: a skipped time moves past the
 * gap, a repeated time means its first pass.
 */
export const disambiguation = z.enum(["compatible", "earlier", "later"]);
export type Disambiguation = z.infer<typeof disambiguation>;

export const namedDelay = z
  .strictObject({
    anchor: rule
      .optional()
      .describe(
        "A rule that returns the date to count from: a date, a date-time or epoch milliseconds. Default: the instant at which the timer is armed.",
      ),
    offset: duration.optional().describe("The time after or before the anchor: P3D, -P42D, or milliseconds."),
    at: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { message: "must be a time of day such as 09:00" })
      .optional()
      .describe("The time of day, such as 09:00."),
    timezone: zoneSetting
      .optional()
      .describe(
        "The time zone of dates and times of day, or a rule that returns it. Default: the time zone of the action or, if it has none, of the definition.",
      ),
    ifPast: ifPast
      .optional()
      .describe(
        "How the engine handles an instant that has already passed: run, skip, or run if the instant is no older than `runWithin`. Default: run.",
      ),
    onMove: z
      .enum(["recompute", "keep", "redo"])
      .optional()
      .describe(
        "How the engine handles a change of the anchor's variable: recompute, keep, or redo, which also repeats completed work. Default: recompute.",
      ),
    from: z
      .enum(["arming", "first", "anchor"])
      .optional()
      .describe(
        "The date that the offset counts from. With `first` or `anchor`, the delay is a series, such as the same day every month.",
      ),
    holidays: holidays.optional().describe("The effect of a calendar's dates, if the delay ends on one."),
    disambiguation: disambiguation
      .optional()
      .describe("Which instant is meant if a clock change repeats or skips a local time. Default: compatible."),
  })
  .meta({ id: "NamedDelay" });
export type NamedDelay = z.infer<typeof namedDelay>;

/** A delay: milliseconds, a duration, the name of one of the definition's `delays`, or a delay object. */
export const delay = z.union([
  z.number().int().nonnegative().max(DURATION_MS_MAX),
  z.string().min(1).max(100),
  namedDelay,
]);
export type Delay = z.infer<typeof delay>;

export function isTimezone(value: string): boolean {
  // The platform also accepts offsets, and the placeholder of systems without a configured zone.
  if (!/^[A-Za-z]/.test(value) || value.toLowerCase() === "factory") return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
