// Reconciler defaults. In a reconciler they take precedence over the defaults of an action's type.

export const reconcilerDefaults = {
  /** The interval between two evaluations of the rules. */
  tickMs: 10_000,
  /** The timeout of one attempt of an action. */
  timeoutMs: 5 * 60_000,
  retryPolicy: "executor",
  /** The waits before a failing collector is called again. */
  backoff: { baseMs: 1_000, multiplier: 2, maxMs: 60_000 },
} as const;
