// Large cell limits: a cell with very many executions keeps only the executions in memory that are due soon.

/**
 * A cell with at most this many executions keeps the keys of all of them in memory. A larger cell evicts executions at
 * rest.
 */
export const HEADS_IN_MEMORY = 2_000;
/** An execution is at rest if all its changes are projected and it is not due within this time. */
export const REST_BEYOND_MS = 60 * 60_000;
/** Executions at rest are grouped by the quarter of an hour in which they are due, and loaded as a group. */
export const REST_SLOT_MS = 15 * 60_000;
/** A group of executions at rest is loaded this much before it is due. */
export const REST_LOAD_AHEAD_MS = 60_000;
/** The most rows loaded at a time for one group. A larger group is split into minutes first, and then into seconds. */
export const REST_ROWS_LOADED = 8;
/**
 * A cell of this size accepts no new executions. The platform limits an object to 10 GB. Existing executions need the
 * remaining space.
 */
export const CELL_BYTES_MAX = 9 * 2 ** 30;
/** The size of a cell is read once per this many starts, because reading it takes time. */
export const CELL_SIZE_CHECKED_EVERY_STARTS = 100;
/** The most cached results of lookups: executions that are not in memory, or that do not exist. */
export const LOOKUPS_CACHED_MAX = 200;
/** The number of ids in one row of the resident index. The platform bills rows, not bytes. */
export const RESIDENT_ROW_EXECUTIONS = 500;
