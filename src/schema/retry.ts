// Retry policies: how often, how long between, and for which errors.
import { z } from "zod";
import { limits } from "./limits.ts";

const ms = z.number().int().nonnegative();

export const jitterKind = z.enum(["none", "full", "half", "tenth"]);
export type JitterKind = z.infer<typeof jitterKind>;

export const backoffStrategy = z.enum(["fixed", "linear", "exponential", "custom"]);

export const retryPolicy = z
  .strictObject({
    /** Counts every try, the first one too. */
    maxAttempts: z.number().int().min(1).max(limits.attemptsMax).optional(),
    backoffStrategy: backoffStrategy.optional(),
    baseDelay: ms.optional(),
    /** The same as baseDelay, as some documents spell it for fixed backoff. */
    backoffDelay: ms.optional(),
    maxDelay: ms.optional(),
    multiplier: z.number().min(1).max(100).optional(),
    /** true means "half". */
    jitter: z.union([z.boolean(), jitterKind]).optional(),
    /** The waits themselves, for "custom"; the last one repeats. */
    delays: z.array(ms).min(1).max(limits.attemptsMax).optional(),
    retryableErrors: z.array(z.string().min(1)).max(50).optional(),
    nonRetryableErrors: z.array(z.string().min(1)).max(50).optional(),
  })
  .refine((policy) => policy.backoffStrategy !== "custom" || policy.delays !== undefined, {
    path: ["delays"],
    message: "custom backoff needs its list of delays in milliseconds",
  });
export type RetryPolicy = z.infer<typeof retryPolicy>;

export const retryPreset = z.enum(["default", "reaction", "executor", "email", "sms", "task", "delay"]);
export type RetryPreset = z.infer<typeof retryPreset>;

/** A policy with every question answered. */
export type ResolvedRetryPolicy = {
  readonly maxAttempts: number;
  readonly backoffStrategy: z.infer<typeof backoffStrategy>;
  readonly baseDelay: number;
  readonly maxDelay: number | null;
  readonly multiplier: number;
  readonly jitter: JitterKind;
  readonly delays: readonly number[];
  readonly retryableErrors: readonly string[];
  readonly nonRetryableErrors: readonly string[];
};
