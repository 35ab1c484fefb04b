// Retry policies: how often, how long between, and for which errors.
import { z } from "zod";
import { limits } from "../limits.ts";

const ms = z.number().int().nonnegative();

export const jitterKind = z.enum(["none", "full", "half", "tenth", "added"]);
export type JitterKind = z.infer<typeof jitterKind>;

export const backoffStrategy = z.enum(["fixed", "linear", "exponential", "custom"]);

/** How long between the tries, and how many of them. */
const waits = {
  maxAttempts: z
    .number()
    .int()
    .min(1)
    .max(limits.attemptsMax)
    .optional()
    .describe("Counts every try, the first one too."),
  backoffStrategy: backoffStrategy.optional().describe("How the waits between tries grow."),
  baseDelay: ms.optional().describe("Milliseconds before the second try."),
  backoffDelay: ms.optional().describe("The same as baseDelay, as some documents spell it for fixed backoff."),
  maxDelay: ms.optional().describe("No wait is longer, in milliseconds."),
  multiplier: z
    .number()
    .min(1)
    .max(100)
    .optional()
    .describe("Of exponential backoff: how many times longer each wait is."),
  jitter: z
    .union([z.boolean(), jitterKind])
    .optional()
    .describe("How much of a wait is left to chance; true means half."),
  delays: z
    .array(ms)
    .min(1)
    .max(limits.attemptsMax)
    .optional()
    .describe("Of custom backoff: the waits themselves, in milliseconds. The last one repeats."),
};

const errorList = z.array(z.string().min(1)).max(50);

/** What holds for some errors instead of what the policy says for all. */
export const retryRule = z
  .strictObject({
    errors: errorList.min(1).describe("Types, codes, or patterns of codes such as http_5xx."),
    retry: z.boolean().optional().describe("Absent: the policy's own lists decide, and then what the runner said."),
    ...waits,
  })
  .meta({ id: "RetryRule" });
export type RetryRule = z.infer<typeof retryRule>;

export const retryPolicy = z
  .strictObject({
    ...waits,
    retryableErrors: errorList.optional().describe("Tried again, whatever the runner said."),
    nonRetryableErrors: errorList.optional().describe("Not tried again, whatever the runner said."),
    rules: z
      .array(retryRule)
      .max(limits.retryRulesMax)
      .optional()
      .describe(
        "The rule that names the error most closely, of several the first, goes over all else that is said here.",
      ),
    totalTimeMs: ms
      .optional()
      .describe("Counted from the first try's start: a retry that would be due later is not made."),
  })
  .superRefine((policy, context) => {
    const message = "custom backoff needs its list of delays in milliseconds";
    if (policy.backoffStrategy === "custom" && policy.delays === undefined) {
      context.addIssue({ code: "custom", path: ["delays"], message });
    }
    for (const [n, rule] of (policy.rules ?? []).entries()) {
      if (rule.backoffStrategy !== "custom" || (rule.delays ?? policy.delays) !== undefined) continue;
      context.addIssue({ code: "custom", path: ["rules", n, "delays"], message });
    }
  })
  .meta({ id: "RetryPolicy" });
export type RetryPolicy = z.infer<typeof retryPolicy>;

export const retryPreset = z.enum(["default", "reaction", "executor", "email", "sms", "task", "delay"]);
export type RetryPreset = z.infer<typeof retryPreset>;

/** Waits with every question answered. */
export type ResolvedWaits = {
  readonly maxAttempts: number;
  readonly backoffStrategy: z.infer<typeof backoffStrategy>;
  readonly baseDelay: number;
  readonly maxDelay: number | null;
  readonly multiplier: number;
  readonly jitter: JitterKind;
  readonly delays: readonly number[];
};

export type ResolvedRetryRule = ResolvedWaits & { readonly errors: readonly string[]; readonly retry: boolean | null };

/** A policy with every question answered. */
export type ResolvedRetryPolicy = ResolvedWaits & {
  readonly retryableErrors: readonly string[];
  readonly nonRetryableErrors: readonly string[];
  readonly rules: readonly ResolvedRetryRule[];
  readonly totalTimeMs: number | null;
};
