// Schedules: a cron expression, and the handling of local times that are skipped or repeated.
import { z } from "zod";
import { CRON_CHARS_MAX } from "../limits/definitions/durations-and-windows.ts";

/** A skipped local time: shifted by the length of the gap, or left out. */
export const gap = z.enum(["shift", "skip"]);
export type Gap = z.infer<typeof gap>;

/** A repeated local time. `auto`: fixed times in the first pass, expressions beginning with `*` in both. */
export const fold = z.enum(["auto", "first", "last", "both"]);
export type Fold = z.infer<typeof fold>;

/** Only the length is checked here; the calendar checks the meaning. */
export const cronText = z.string().min(1).max(CRON_CHARS_MAX);

export const schedule = z.union([
  cronText,
  z.strictObject({
    cron: cronText.describe(
      "Five fields, six with seconds in front, seven with years at the end; or @daily and similar ones.",
    ),
    gap: gap.optional().describe("How a skipped local time is handled. Default: shift, by the length of the gap."),
    fold: fold
      .optional()
      .describe("Which pass of a repeated local time counts. Default: auto, both for expressions that begin with *."),
  }),
]);
export type Schedule = z.infer<typeof schedule>;
