// What holds in a reconciler where nobody says: its own, whatever an action's type has elsewhere.

export const reconcilerDefaults = {
  /** Between two instants at which rules are looked at. */
  tickMs: 10_000,
  /** Of one attempt of an action. */
  timeoutMs: 5 * 60_000,
  retryPolicy: "executor",
  /** Between the tries of a collector that fails. */
  backoff: { baseMs: 1_000, multiplier: 2, maxMs: 60_000 },
} as const;
