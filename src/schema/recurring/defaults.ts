// What holds for recurring work where nobody says: each may be said otherwise, for each recurring action.

export const recurringDefaults = {
  gap: "shift",
  fold: "auto",
  /** What a definition starts may take long, and is rarely meant to run beside itself. */
  overlap: { action: "allow", definition: "skip" },
  catchUp: "none",
  /** An alarm may be some seconds late, and an object may have to be moved. */
  graceMs: 10 * 60_000,
  catchUpWindowMs: 24 * 60 * 60_000,
  /** A preview. */
  previewed: 10,
} as const;
