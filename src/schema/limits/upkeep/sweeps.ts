// Sweep limits: how the sweeper finds and wakes overdue executions and recurring actions.

/**
 * How long after its planned wake an execution counts as overdue. An alarm may be a minute late, and a projection a
 * little longer.
 */
export const OVERDUE_MS = 5 * 60_000;
/** The most overdue executions of one sweep. */
export const OVERDUE_MAX = 2_000;
/** The most recurring actions that one sweep wakes or deletes: those that have waited longest. */
export const RECURRING_MAINTAINED_MAX = 500;
/** How many check results the sweeper stores in one write. */
export const CHECK_RESULTS_ROWS = 500;
/**
 * The wait before the sweeper checks an overdue execution again: the first one, and the longest one. It doubles each
 * time.
 */
export const OVERDUE_RECHECK_MS = { first: 10 * 60_000, most: 6 * 60 * 60_000 } as const;
