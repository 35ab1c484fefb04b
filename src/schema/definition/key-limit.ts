// Limits by key: how many runs of an action, or executions of a definition, may start for one value of a key, such as a
// customer. Limits of a tenant that have the same name are one limit.
import { z } from "zod";
import { rule, type Rule } from "../json.ts";
import {
  DEBOUNCE_MS_MAX,
  DEBOUNCE_MS_MIN,
  KEY_LIMITS_PER_ACTION_MAX,
  LIMIT_CONCURRENCY_MAX,
  LIMIT_THROTTLE_MAX,
} from "../limits/limits-by-key.ts";
import { CAP_MAX } from "../limits/subjects/subject-rows.ts";
import { windowLength } from "./cap.ts";
import { isFixedLength, lengthMs } from "./duration-text.ts";
import { isoDuration } from "./timing.ts";

export const limitName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "must be 1 to 100 letters, digits, _ or -" })
  .meta({ examples: ["per-customer"] });

const key = rule as z.ZodType<Rule, Rule>; // What a client writes is JSON, too.

const quietTime = isoDuration.refine(isQuietTime, {
  message: "must be a second to 7 days, in weeks, days, hours, minutes or seconds, such as PT30S",
});

const rate = z
  .strictObject({
    max: z.number().int().min(1).max(CAP_MAX).describe("The maximum number of runs that start in the period."),
    per: windowLength.describe("The length of the sliding period, such as PT1H."),
  })
  .describe("Runs above this rate are skipped with the reason `rate_limited_by_key`.");

const throttle = z
  .strictObject({
    max: z.number().int().min(1).max(LIMIT_THROTTLE_MAX).describe("The number of runs that start in the period."),
    per: windowLength.describe("The length of the period, such as PT1M. The starts are spread evenly over it."),
    burst: z
      .number()
      .int()
      .min(1)
      .max(LIMIT_THROTTLE_MAX)
      .optional()
      .describe("The number of runs that may start at once after a quiet time. Default: 1."),
  })
  .describe("Runs above this rate wait for their turn, in order.");

const debounce = z
  .strictObject({
    for: quietTime.describe("A run waits until no newer run with the same key has come for this time, such as PT30S."),
    atMost: quietTime.optional().describe("The longest wait, from the first run on. Default: none."),
  })
  .refine(({ for: quiet, atMost }) => atMost === undefined || lengthMs(atMost) >= lengthMs(quiet), {
    message: "must be at least as long as `for`",
    path: ["atMost"],
  })
  .describe("The newest run starts after a quiet time. The older ones are skipped with the reason `debounced`.");

export const limitTerms = {
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(LIMIT_CONCURRENCY_MAX)
    .optional()
    .describe(
      "The maximum number of attempts in progress; on starts, of live executions. Further runs wait, the earliest first.",
    ),
  rate: rate.optional(),
  throttle: throttle.optional(),
  debounce: debounce.optional(),
  singleton: z
    .enum(["skip", "cancel"])
    .optional()
    .describe(
      "At most one run at a time. skip: while a run is under way, a new one is skipped with the reason `singleton`. cancel: the new one replaces the run under way, which gets no further attempt. On starts, the execution under way is canceled.",
    ),
};
const termNames = Object.keys(limitTerms) as readonly (keyof typeof limitTerms)[]; // The keys of the object above.

export const keyLimit = z
  .strictObject({
    name: limitName
      .optional()
      .describe(
        "Limits with the same name are one limit for all actions of the tenant, or for the starts of all its definitions. Default: the limit belongs to this action or definition alone.",
      ),
    key: key.describe("A rule that returns the key: a text of 1 to 200 characters or a number."),
    ...limitTerms,
  })
  .refine((limit) => termNames.some((name) => limit[name] !== undefined), {
    message: `set at least one of ${termNames.join(", ")}`,
  })
  .refine(({ singleton, concurrency }) => singleton === undefined || concurrency === undefined, {
    message: "must be absent beside `singleton`, which allows one run at a time",
    path: ["concurrency"],
  })
  .meta({ id: "KeyLimit" });
export type KeyLimit = z.infer<typeof keyLimit>;

export const keyLimits = z
  .array(keyLimit)
  .min(1)
  .max(KEY_LIMITS_PER_ACTION_MAX)
  .refine((limits) => new Set(limits.map(nameOrPlace)).size === limits.length, {
    message: "the names of the limits must differ",
  });

/** The name of a limit. A limit without a name is identified by its position in the list. */
function nameOrPlace({ name }: KeyLimit, position: number): string {
  return name ?? `/${position}`;
}

function isQuietTime(text: string): boolean {
  const ms = isFixedLength(text) ? lengthMs(text) : Number.NaN;
  return ms >= DEBOUNCE_MS_MIN && ms <= DEBOUNCE_MS_MAX;
}
