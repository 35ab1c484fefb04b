// The numbers of the retry policies that go by a name.
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

/** Retry policies by name. `default` is also what a policy that is written out stands on. */
export const retryPresets: { readonly [name in RetryPreset]: ResolvedRetryPolicy } = {
  default: base,
  reaction: { ...base, maxAttempts: 5, baseDelay: 2_000, maxDelay: 300_000, jitter: "tenth" },
  executor: { ...base, maxAttempts: 4 },
  email: { ...base, maxAttempts: 4, baseDelay: 60_000 },
  sms: { ...base, maxAttempts: 6, baseDelay: 30_000, multiplier: 1.5 },
  task: { ...base, maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 300_000 },
  delay: { ...base, maxAttempts: 1, backoffStrategy: "fixed", baseDelay: 0 },
};
