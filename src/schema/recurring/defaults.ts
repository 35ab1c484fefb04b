// Recurring defaults. Each recurring action may set other values.

export const recurringDefaults = {
  gap: "shift",
  fold: "auto",
  /**
   * An execution of a definition may take long, and a second one at the same time is rarely wanted. An action takes a
   * short time, so the next one may overlap it.
   */
  overlap: { action: "allow", definition: "skip" },
  catchUp: "none",
  /** An alarm may be some seconds late. It may be later still if the object is moved to another machine first. */
  graceMs: 10 * 60_000,
  catchUpWindowMs: 24 * 60 * 60_000,
  /** The number of occurrences in a preview. */
  previewed: 10,
} as const;
