// Quarantine limits: executions that cannot be stored or read, and how often a cell checks them.

/** Gaps between checks of a quarantined execution. The last gap repeats. */
export const QUARANTINE_CHECK_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** After this many failed writes an execution fails, if other executions of its cell can be written. */
export const UNWRITABLE_TRIES_MAX = 4;
/** The longest reason of a quarantine in lists. */
export const QUARANTINE_REASON_CHARS_MAX = 300;
/** A cell checks an execution's invariants in the first step, and in one of this many later steps. */
export const INVARIANTS_CHECKED_EVERY_STEPS = 64;
