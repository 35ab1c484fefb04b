// Retry policies: how many attempts are made, how long the waits between them are, and which errors are retried.
import { z } from "zod";
import { ATTEMPTS_MAX, RETRY_RULES_MAX } from "../limits/run-attempts.ts";

const ms = z.number().int().nonnegative();

export const jitterKind = z.enum(["none", "full", "half", "tenth", "added"]);
export type JitterKind = z.infer<typeof jitterKind>;

export const backoffStrategy = z.enum(["fixed", "linear", "exponential", "custom"]);

/** The fields of a retry policy that set the number of attempts and the waits between them. */
const waits = {
  maxAttempts: z
    .number()
    .int()
    .min(1)
    .max(ATTEMPTS_MAX)
    .optional()
    .describe("The maximum number of attempts, including the first attempt."),
  backoffStrategy: backoffStrategy
    .optional()
    .describe("How the waits between attempts grow: fixed, linear, exponential or custom."),
  baseDelay: ms.optional().describe("Milliseconds before the second attempt."),
  backoffDelay: ms.optional().describe("Another name of baseDelay."),
  maxDelay: ms.optional().describe("The longest wait, in milliseconds."),
  multiplier: z
    .number()
    .min(1)
    .max(100)
    .optional()
    .describe("For exponential backoff: the factor between consecutive waits."),
  jitter: z
    .union([z.boolean(), jitterKind])
    .optional()
    .describe("The random part of each wait: none, full, half, tenth or added. true means half."),
  delays: z
    .array(ms)
    .min(1)
    .max(ATTEMPTS_MAX)
    .optional()
    .describe("For custom backoff: the list of waits in milliseconds. The last wait repeats."),
};

const errorList = z.array(z.string().min(1)).max(50);

/**
 * Retry settings for certain errors. If an attempt fails with one of these errors, they replace the policy's own
 * settings.
 */
export const retryRule = z
  .strictObject({
    errors: errorList.min(1).describe("Types of errors, codes, or groups of codes such as http_5xx."),
    retry: z
      .boolean()
      .optional()
      .describe("Whether these errors are retried. Default: the policy's lists decide, and then the action type."),
    ...waits,
  })
  .meta({ id: "RetryRule" });
export type RetryRule = z.infer<typeof retryRule>;

export const retryPolicy = z
  .strictObject({
    ...waits,
    retryableErrors: errorList
      .optional()
      .describe("Errors that are retried, even if the action type does not retry them."),
    nonRetryableErrors: errorList
      .optional()
      .describe("Errors that are not retried, even if the action type retries them."),
    rules: z
      .array(retryRule)
      .max(RETRY_RULES_MAX)
      .optional()
      .describe(
        "Settings for some errors. The most specific rule for an error overrides the policy. Among equally specific rules, the first rule applies.",
      ),
    totalTimeMs: ms
      .optional()
      .describe(
        "The time budget in milliseconds, counted from the start of the first attempt. No retry is made after the budget ends.",
      ),
  })
  .superRefine((policy, context) => {
    const message = "custom backoff requires a list of delays in milliseconds";
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

/** The waits of a retry policy. Presets and defaults were applied, so every field is set. */
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

/** A retry policy. Presets and defaults were applied, so every field is set. */
export type ResolvedRetryPolicy = ResolvedWaits & {
  readonly retryableErrors: readonly string[];
  readonly nonRetryableErrors: readonly string[];
  readonly rules: readonly ResolvedRetryRule[];
  readonly totalTimeMs: number | null;
};
