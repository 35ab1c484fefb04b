// Queue drain limits: requests that run due actions immediately, and counts of due runs.

/**
 * How long a drain waits before each check of its runs' results. After the last check, unfinished runs are reported as
 * in progress.
 */
export const DRAIN_CHECKS_MS = [50, 100, 200, 400, 800, 1_600] as const;
/** After this time a drain begins no further run. The remaining runs are started by their own alarms. */
export const DRAIN_MS_MAX = 10_000;
/** The number of runs in one drain. */
export const DRAIN_RUNS = { usual: 10, most: 100 } as const;
/** The most waiting executions among which the next wake is searched: the newest ones. */
export const NEXT_WAKE_EXECUTIONS_MAX = 5_000;
/** A tenant's due runs are counted up to this number. */
export const QUEUE_DEPTH_MAX = 10_000;
/** The most tenants whose due runs one sweep counts. */
export const QUEUE_DEPTH_TENANTS_MAX = 500;
