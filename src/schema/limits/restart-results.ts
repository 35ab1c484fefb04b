// Restart limits: executions that are started again and reuse results of an earlier execution.

/**
 * The most journal entries that a restart reads to collect results. An execution with a longer history can only be
 * restarted with "repeat": "all".
 */
export const RESTART_ENTRIES_MAX = 5_000;
/** The total size of the reused results. */
export const RESTART_RESULTS_BYTES_MAX = 256 * 1024;
/** The most results that the answer lists: the latest ones. */
export const RESTART_RESULTS_LISTED_MAX = 200;
