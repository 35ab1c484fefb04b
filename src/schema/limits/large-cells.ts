// Large cell limits: a cell with very many executions keeps in memory only those that are due soon.

/**
 * A cell with at most this many executions keeps all of their ids and wakes in memory. A larger cell evicts those of
 * executions at rest.
 */
export const HEADS_IN_MEMORY = 2_000;
/** An execution is at rest if all its changes are projected and it is not due within this time. */
export const REST_BEYOND_MS = 60 * 60_000;
/** Executions at rest are grouped by the quarter of an hour in which they are due. Each group is loaded as a whole. */
export const REST_SLOT_MS = 15 * 60_000;
/** How long before its quarter of an hour begins a group is loaded. */
export const REST_LOAD_AHEAD_MS = 60_000;
/**
 * The most rows of a group that are loaded at a time. A larger group is split into minutes, and a larger minute into
 * seconds.
 */
export const REST_ROWS_LOADED = 8;
/**
 * A cell of this size accepts no new executions. The platform limits an object to 10 GB, and the existing executions
 * need the remaining space.
 */
export const CELL_BYTES_MAX = 9 * 2 ** 30;
/** The size of a cell is read once every this many starts, because reading it takes time. */
export const CELL_SIZE_CHECKED_EVERY_STARTS = 100;
/**
 * The most cached results of lookups of executions that are not in memory. Results for ids that do not exist are cached
 * too.
 */
export const LOOKUPS_CACHED_MAX = 200;
/** How many ids one row of the resident index contains. It is large, because the platform bills rows and not bytes. */
export const RESIDENT_ROW_EXECUTIONS = 500;
