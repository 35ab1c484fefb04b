// Schedules: a cron expression, and the handling of local times that are skipped or repeated.
import { z } from "zod";
import { CRON_CHARS_MAX } from "../limits/definition-sizes.ts";
import { holidays } from "./holidays.ts";

/**
 * The handling of an occurrence at a local time that the clock skips. shift: it moves by the length of the gap. skip:
 * it does not occur.
 */
export const gap = z.enum(["shift", "skip"]);
export type Gap = z.infer<typeof gap>;

/**
 * The handling of an occurrence at a local time that the clock repeats. auto: a fixed time occurs in the first pass
 * only, and an expression that begins with `*` in both passes.
 */
export const fold = z.enum(["auto", "first", "last", "both"]);
export type Fold = z.infer<typeof fold>;

/** A cron expression. Only its length is checked here; `policy/calendar` and `kernel/calendar` parse it. */
export const cronText = z.string().min(1).max(CRON_CHARS_MAX);

export const schedule = z.union([
  cronText,
  z.strictObject({
    cron: cronText.describe(
      "A cron expression: five fields, six with seconds in front, or seven with years at the end. Aliases such as @daily are allowed.",
    ),
    gap: gap.optional().describe("How a skipped local time is handled. Default: shift, by the length of the gap."),
    fold: fold
      .optional()
      .describe(
        "Which instant counts if a local time is repeated: first, last, both or auto. auto means both for expressions that begin with *, otherwise first. Default: auto.",
      ),
    holidays: holidays.optional().describe("The effect of a calendar's dates."),
  }),
]);
export type Schedule = z.infer<typeof schedule>;
