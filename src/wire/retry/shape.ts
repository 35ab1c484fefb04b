// Retry policies: API shapes of the presets and of retry timetables.
import { z } from "zod";
import { backoffStrategy, jitterKind, retryPolicy, retryPreset } from "#schema/definition/retry.ts";
import { timezone } from "#schema/definition/timing.ts";
import { instant } from "#schema/values.ts";
import { instantQuery, plainQuery } from "../query.ts";

const zone = timezone.meta({ description: "The time zone in which instants are shown.", examples: ["Europe/Zurich"] });
const errorType = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description: "The assumed error of every attempt: a type or code, which a rule of the policy may match.",
    examples: ["rate_limit"],
  });

export const retryTimetableQuery = plainQuery.extend({
  policy: retryPreset.default("default"),
  startAt: instantQuery.optional().meta({ description: "Start of the first attempt. Default: now." }),
  timezone: zone.optional(),
});

export const retryTimetableBody = z
  .strictObject({
    policy: z.union([retryPreset, retryPolicy]),
    startAt: z.iso.datetime({ offset: true }).optional(),
    timezone: zone.optional(),
    error: errorType.optional(),
  })
  .meta({
    id: "RetryLadderOf",
    examples: [{ policy: { maxAttempts: 5, baseDelay: 1000, jitter: true }, timezone: "Europe/Zurich" }],
  });
export type RetryTimetableBody = z.input<typeof retryTimetableBody>;

const waits = {
  maxAttempts: z.number().int(),
  backoffStrategy,
  baseDelay: z.number(),
  maxDelay: z.number().nullable(),
  multiplier: z.number(),
  jitter: jitterKind,
  delays: z.array(z.number()),
};

/** A retry policy after presets and defaults were applied. Every field is set. */
export const resolvedPolicy = z
  .object({
    ...waits,
    retryableErrors: z.array(z.string()),
    nonRetryableErrors: z.array(z.string()),
    rules: z.array(z.object({ ...waits, errors: z.array(z.string()), retry: z.boolean().nullable() })),
    totalTimeMs: z.number().nullable(),
  })
  .meta({ id: "ResolvedRetryPolicy" });
export type ApiResolvedPolicy = z.infer<typeof resolvedPolicy>;

export const namedPolicies = z.object({
  data: z.array(z.object({ name: retryPreset, policy: resolvedPolicy })),
  errors: z
    .object({
      types: z.array(z.string()),
      codes: z.array(z.string()),
      /** For each pattern of error codes, one code that the pattern matches. */
      patterns: z.array(z.string()),
      aliases: z.record(z.string(), z.array(z.string())),
    })
    .meta({ description: "The names of errors for retryableErrors, nonRetryableErrors and rules." }),
});
export type ApiNamedPolicies = z.infer<typeof namedPolicies>;

const moment = z.object({ at: instant, local: z.string().nullable() });

export const retryTimetable = z
  .object({
    policy: resolvedPolicy,
    startAt: instant,
    timezone: z.string(),
    retried: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the given error is retried; null if the request names no error." }),
    rungs: z.array(
      z.object({
        attempt: z.number().int(),
        wait: z
          .object({ minMs: z.number(), maxMs: z.number() })
          .meta({
            description:
              "The shortest and longest delay after the previous attempt. Jitter chooses a value between the two.",
          }),
        earliest: moment,
        latest: moment,
      }),
    ),
  })
  .meta({
    id: "RetryLadder",
    description:
      "The timetable of a retry policy. Attempts take time, and a provider's Retry-After may be longer, so a retry may be later than shown.",
  });
export type ApiRetryTimetable = z.infer<typeof retryTimetable>;
