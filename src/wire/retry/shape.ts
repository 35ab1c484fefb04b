// Retry policies: API shapes of the presets, and of when each attempt would start.
import { z } from "zod";
import { backoffStrategy, jitterKind, retryPolicy, retryPreset } from "#schema/definition/retry.ts";
import { timezone } from "#schema/definition/timing.ts";
import { instant } from "#schema/values.ts";
import { instantQuery, plainQuery } from "../query.ts";

const zone = timezone.meta({ description: "Time zone in which each instant is shown.", examples: ["Europe/Zurich"] });
const errorType = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description: "Assumed outcome of every attempt: an error type or code, which a rule may match.",
    examples: ["rate_limit"],
  });

export const ladderQuery = plainQuery.extend({
  policy: retryPreset.default("default"),
  startAt: instantQuery.optional().meta({ description: "Start of the first attempt. Default: now." }),
  timezone: zone.optional(),
});

export const ladderBody = z
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
export type LadderBody = z.input<typeof ladderBody>;

const waits = {
  maxAttempts: z.number().int(),
  backoffStrategy,
  baseDelay: z.number(),
  maxDelay: z.number().nullable(),
  multiplier: z.number(),
  jitter: jitterKind,
  delays: z.array(z.number()),
};

/** As the engine uses it: every field set. */
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
      /** One of each pattern. */
      patterns: z.array(z.string()),
      aliases: z.record(z.string(), z.array(z.string())),
    })
    .meta({ description: "Names for retryableErrors, nonRetryableErrors and rules." }),
});
export type ApiNamedPolicies = z.infer<typeof namedPolicies>;

const moment = z.object({ at: instant, local: z.string().nullable() });

export const ladder = z
  .object({
    policy: resolvedPolicy,
    startAt: instant,
    timezone: z.string(),
    retried: z
      .boolean()
      .nullable()
      .meta({ description: "Whether an error of this type is retried; null if none was given." }),
    rungs: z.array(
      z.object({
        attempt: z.number().int(),
        wait: z
          .object({ minMs: z.number(), maxMs: z.number() })
          .meta({ description: "After the previous attempt; jitter varies between the two." }),
        earliest: moment,
        latest: moment,
      }),
    ),
  })
  .meta({
    id: "RetryLadder",
    description: "Attempts take time, and a provider's Retry-After may be longer: no retry is earlier than this.",
  });
export type ApiLadder = z.infer<typeof ladder>;
