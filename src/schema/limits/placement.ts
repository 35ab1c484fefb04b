// Placement: how executions spread over cells, and how many one call may contain.

/** The maximum number of cells in a tenant's pool. */
export const POOL_SIZE_MAX = 64;
/** A cell's load is measured over this period: a shorter burst does not count. */
export const POOL_WINDOW_MS = 5_000;
/**
 * More starts per second are too many for one cell. It is one thread, in which three actions take half a millisecond,
 * or twice that on a slow machine; an object handles a thousand requests per second; and with more cells fewer inputs
 * share a commit.
 */
export const POOL_STARTS_PER_S_MAX = 400;
/** A pool in which every cell has less than a quarter of that can shrink to a quarter. */
export const POOL_SHRINK_FACTOR = 4;
/** The maximum growth in one change. */
export const POOL_GROW_FACTOR_MAX = 4;
/** An object may hold 10 GB: from this size on, new executions go elsewhere. */
export const POOL_CELL_BYTES_MAX = 2 ** 30;
/** The minimum interval between a cell's overload reports: isolates learn of a pool's growth within seconds. */
export const POOL_TOLD_EVERY_MS = 15_000;
/** The interval between reports that the pool's size is needed. */
export const POOL_NEEDED_EVERY_MS = 60 * 60_000;
/** A pool that was too large for this long shrinks. */
export const POOL_QUIET_MS = 24 * 60 * 60_000;
/** Pools checked in one sweep. */
export const POOLS_SHRUNK_MAX = 50;
/** How often a key is routed again because its cell changed meanwhile. */
export const POOL_TRIES_MAX = 5;
/** Keys that one cell returns to another in one answer. */
export const POOL_KEYS_PAGE = 2_000;
/** Up to this many keys of other cells are stored exactly; more are in a Bloom filter, which may answer "maybe". */
export const POOL_KEYS_EXACT_MAX = 2_000;
/** 256 KB of them. */
export const POOL_FILTER_BITS = 2 ** 21;
/** No caller caches a pool for longer than a day, so a superseded cell may forget its role after this. */
export const POOL_FENCE_KEPT_MS = 48 * 60 * 60_000;
/** One call with many ids is one request and one commit. */
export const CELL_CALL_IDS_MAX = 100;
/** An invocation has six connections at a time. */
export const CELL_CALLS_AT_ONCE = 6;
/**
 * The maximum difference between an id's time and its execution's: Worker and object have separate clocks, and a start
 * may wait.
 */
export const ID_TIME_SLACK_MS = 60 * 60_000;
