// Projection limits: when an execution's changes are written to the lists of the catalog.

/** How long a cell waits for more changes, so that several short executions share one message to the catalog. */
export const PROJECT_AFTER_MS = 200;
/**
 * The longest delay of a projection. It applies to an execution that is busy, or that retries an action within this
 * time.
 */
export const PROJECT_BUSY_AFTER_MS = 2_000;
/** An alarm sends projections that are still unsent after this time. */
export const PROJECT_WITHIN_MS = 30_000;
/** The size of an isolate's cache of projected runs, for all of its cells: some thirty characters per run. */
export const PROJECTED_RUNS_CACHED_CHARS = 4_000_000;
/** The smallest weight of an execution in the cache of projected runs. */
export const PROJECTED_RUNS_WEIGHT_MIN = 100;
