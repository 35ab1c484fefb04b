// Retry presets: the numbers of named retry policies.
import type { ResolvedRetryPolicy, RetryPreset } from "./retry.ts";

const base: ResolvedRetryPolicy = {
  maxAttempts: 3,
  backoffStrategy: "exponential",
  baseDelay: 1_000,
  maxDelay: null,
  multiplier: 2,
  jitter: "none",
  delays: [],
  retryableErrors: [],
  nonRetryableErrors: [],
  rules: [],
  totalTimeMs: null,
};

/** Retry policies by name. A custom policy takes the fields that it does not set from `default`. */
export const retryPresets: { readonly [name in RetryPreset]: ResolvedRetryPolicy } = {
  default: base,
  reaction: { ...base, maxAttempts: 5, baseDelay: 2_000, maxDelay: 300_000, jitter: "tenth" },
  executor: { ...base, maxAttempts: 4 },
  email: { ...base, maxAttempts: 4, baseDelay: 60_000 },
  sms: { ...base, maxAttempts: 6, baseDelay: 30_000, multiplier: 1.5 },
  task: { ...base, maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 300_000 },
  delay: { ...base, maxAttempts: 1, backoffStrategy: "fixed", baseDelay: 0 },
};
