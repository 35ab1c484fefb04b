// When something is due: milliseconds, an ISO 8601 duration, or a named delay that hangs on a date.
import { z } from "zod";
import { rule } from "../json.ts";
import { DURATION_MS_MAX } from "../limits/kernel.ts";
import { isTooLong, ISO_DURATION, lengthMs } from "./duration-text.ts";

/** Checked for form and range; what it adds up to on a date is the kernel's business (months differ). */
export const isoDuration = z
  .string()
  .regex(ISO_DURATION, { message: "an ISO 8601 duration such as P3D, PT90M or -P42D" })
  .refine((text) => !isTooLong(text), { message: "a duration of at most 400 years" });

export const duration = z.union([z.number().int().nonnegative().max(DURATION_MS_MAX), isoDuration]);
export type Duration = z.infer<typeof duration>;

export const timezone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimezone, { message: "an IANA time zone such as Europe/Zurich" });

/** Forward: how long something may have been past already. */
const graceLength = duration.refine((length) => (typeof length === "number" ? length : lengthMs(length)) > 0, {
  message: "a length of time that goes forward, such as P21D",
});

const ifPast = z.union([z.enum(["run", "skip"]), z.strictObject({ runWithin: graceLength })]);

/** A local time that does not exist (gap) or exists twice (fold). "compatible": forward, first. */
export const disambiguation = z.enum(["compatible", "earlier", "later"]);
export type Disambiguation = z.infer<typeof disambiguation>;

export const namedDelay = z
  .strictObject({
    anchor: rule
      .optional()
      .describe("A rule giving a date, a date-time or epoch milliseconds. Without it: the moment of arming."),
    offset: duration.optional().describe("From the anchor, or back: P3D, -P42D, or milliseconds."),
    at: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { message: "a time of day such as 09:00" })
      .optional()
      .describe("The time of day, such as 09:00."),
    timezone: timezone.optional().describe("For dates and times of day. Default: the definition's."),
    ifPast: ifPast
      .optional()
      .describe(
        "When the instant has passed already: run, skip, or run if it is no older than runWithin. Default: run.",
      ),
    onMove: z
      .enum(["recompute", "keep", "redo"])
      .optional()
      .describe("When the anchor's variable changes. redo: done already, it is done again. Default: recompute."),
    from: z
      .enum(["arming", "first", "anchor"])
      .optional()
      .describe(
        "What the offset counts from. `first` and `anchor` make a series: its next member, on the same day every month.",
      ),
    disambiguation: disambiguation
      .optional()
      .describe("Which of two, where a local time exists twice or not at all. Default: compatible."),
  })
  .meta({ id: "NamedDelay" });
export type NamedDelay = z.infer<typeof namedDelay>;

/** A number, an ISO duration, the name of one of the definition's delays, or a delay written out. */
export const delay = z.union([
  z.number().int().nonnegative().max(DURATION_MS_MAX),
  z.string().min(1).max(100),
  namedDelay,
]);
export type Delay = z.infer<typeof delay>;

export function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
