// Recurring defaults: each recurring action may override them.

export const recurringDefaults = {
  gap: "shift",
  fold: "auto",
  /** A definition's execution may take long, and should rarely run twice at once. */
  overlap: { action: "allow", definition: "skip" },
  catchUp: "none",
  /** An alarm may be some seconds late, and an object may have to be moved. */
  graceMs: 10 * 60_000,
  catchUpWindowMs: 24 * 60 * 60_000,
  /** The number of occurrences in a preview. */
  previewed: 10,
} as const;
