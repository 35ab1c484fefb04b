// How executions spread over cells, and how many of them one call is about.

/** As many cells as a tenant's pool may grow to. */
export const POOL_SIZE_MAX = 64;
/** What a cell takes in is looked at so often: a burst that is over by then is none. */
export const POOL_WINDOW_MS = 5_000;
/**
 * More than so many starts a second are too many for one cell. It is one thread, of which three actions take half a millisecond,
 * or twice that on a slow one; an object takes a thousand requests a second; and in more cells fewer inputs share a commit.
 */
export const POOL_STARTS_PER_S_MAX = 400;
/** A pool of which every cell has fewer than a quarter of that can be a quarter of its size. */
export const POOL_SHRINK_FACTOR = 4;
/** It grows by this at a time, at most. */
export const POOL_GROW_FACTOR_MAX = 4;
/** An object may hold 10 GB: before that, what is new goes elsewhere. */
export const POOL_CELL_BYTES_MAX = 2 ** 30;
/** A cell says that it has too much to do at most so often: isolates learn of a pool's growth within seconds. */
export const POOL_TOLD_EVERY_MS = 15_000;
/** And that the pool is not too large, so often. */
export const POOL_NEEDED_EVERY_MS = 60 * 60_000;
/** Of a pool that was too large for so long, a part is let go of. */
export const POOL_QUIET_MS = 24 * 60 * 60_000;
/** So many tenants' pools at each sweep. */
export const POOLS_SHRUNK_MAX = 50;
/** Where a key leads is asked again where that has changed meanwhile. */
export const POOL_TRIES_MAX = 5;
/** Keys that one cell tells another in one answer. */
export const POOL_KEYS_PAGE = 2_000;
/** So many keys that other cells have are known exactly; beyond, as bits of which some say "maybe". */
export const POOL_KEYS_EXACT_MAX = 2_000;
/** 256 KB of them. */
export const POOL_FILTER_BITS = 2 ** 21;
/** Nobody goes by what he knew of a tenant for longer than a day: a superseded cell may forget that it is. */
export const POOL_FENCE_KEPT_MS = 48 * 60 * 60_000;
/** One call with many ids is one request and one commit. */
export const CELL_CALL_IDS_MAX = 100;
/** An invocation has six connections at a time. */
export const CELL_CALLS_AT_ONCE = 6;
/** Between an id's time and its execution's: Worker and object have clocks of their own, and a start may wait. */
export const ID_TIME_SLACK_MS = 60 * 60_000;
