// Run limits: how many runs an execution has, and how long an attempt may take.

/** The longest timeout of an attempt. */
export const TIMEOUT_MS_MAX = 14 * 60_000;
/** A claimed run counts as timed out this long after its timeout, because its settlement needs time to arrive. */
export const SETTLE_GRACE_MS = 5_000;
/** The most attempts of one execution that may be in progress at the same time. */
export const EXECUTION_CONCURRENCY_MAX = 100;
/** The most unfinished runs of an execution. */
export const UNFINISHED_RUNS_MAX = 1_000;
/**
 * The number of finished runs that the object's state contains. Older runs are read from the journal and the catalog.
 */
export const FINISHED_RUNS_KEPT = 50;
