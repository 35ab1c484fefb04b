// When something recurs: a cron expression, and what becomes of times that clocks leave out or show twice.
import { z } from "zod";
import { CRON_CHARS_MAX } from "../limits/kernel.ts";

/** A time that the clocks jump over: it comes later by as much as they jump, or not at all. */
export const gap = z.enum(["shift", "skip"]);
export type Gap = z.infer<typeof gap>;

/** A time that the clocks show twice. `auto`: fixed times in the first pass, what starts with `*` in both. */
export const fold = z.enum(["auto", "first", "last", "both"]);
export type Fold = z.infer<typeof fold>;

/** Checked for its length; what it means is the calendar's business. */
export const cronText = z.string().min(1).max(CRON_CHARS_MAX);

export const schedule = z.union([
  cronText,
  z.strictObject({
    cron: cronText.describe(
      "Five fields, six with seconds before them, seven with years behind; or @daily and the like.",
    ),
    gap: gap
      .optional()
      .describe("What becomes of a time that the clocks jump over. Default: shift, by as much as they jump."),
    fold: fold
      .optional()
      .describe("Which pass of a time that they show twice. Default: auto, both for what starts with *."),
  }),
]);
export type Schedule = z.infer<typeof schedule>;
