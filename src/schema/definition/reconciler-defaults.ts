// Reconciler defaults: override the defaults of an action's type.

export const reconcilerDefaults = {
  /** Interval between two evaluations of the rules. */
  tickMs: 10_000,
  /** Timeout of an action's attempt. */
  timeoutMs: 5 * 60_000,
  retryPolicy: "executor",
  /** Backoff of a failing collector. */
  backoff: { baseMs: 1_000, multiplier: 2, maxMs: 60_000 },
} as const;
