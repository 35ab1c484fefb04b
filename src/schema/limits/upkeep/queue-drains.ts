// Queue drain limits: requests that run due actions immediately, and counts of due runs.

/** The waits before a drain checks the results of its runs. Unfinished runs are reported as in progress. */
export const DRAIN_CHECKS_MS = [50, 100, 200, 400, 800, 1_600] as const;
/** A drain begins no run after this time. The remaining runs start by their own alarms. */
export const DRAIN_MS_MAX = 10_000;
/** The number of runs in one drain. */
export const DRAIN_RUNS = { usual: 10, most: 100 } as const;
/** The most waiting executions that are searched for the next wake: the newest ones. */
export const NEXT_WAKE_EXECUTIONS_MAX = 5_000;
/** The largest count of a tenant's due runs. */
export const QUEUE_DEPTH_MAX = 10_000;
/** The most tenants whose due runs one sweep counts. */
export const QUEUE_DEPTH_TENANTS_MAX = 500;
