// How executions spread over cells, and how many of them one call is about.

/**
 * New pooled executions spread over this many cells of a tenant. Few, because executions that share a cell share its
 * commits; an object takes some hundred of them a second. May be raised at any time.
 */
export const POOL_CELLS = 4;
/** Keyed ones hash over a number that never changes, or a repeated key would look in another cell. */
export const KEYED_POOL_CELLS = 16;
/** One call with many ids is one request and one commit. */
export const CELL_CALL_IDS_MAX = 100;
/** An invocation has six connections at a time. */
export const CELL_CALLS_AT_ONCE = 6;
/** Between an id's time and its execution's: Worker and object have clocks of their own, and a start may wait. */
export const ID_TIME_SLACK_MS = 60 * 60_000;
