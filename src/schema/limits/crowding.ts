// Large cells: a cell with very many executions keeps only those in memory that are due soon.

/** Up to this many heads a cell keeps all keys in memory; beyond, those at rest are evicted. */
export const HEADS_IN_MEMORY = 2_000;
/** An execution is at rest if it is not due for this long, and is projected. */
export const REST_BEYOND_MS = 60 * 60_000;
/** Executions at rest are loaded together with all others of their quarter of an hour, this much earlier. */
export const FAR_SLOT_MS = 15 * 60_000;
export const FAR_LEAD_MS = 60_000;
/**
 * An object may hold 10 GB. Below that its cell accepts no new executions, so that the existing ones can continue and
 * end.
 */
export const CELL_BYTES_MAX = 9 * 2 ** 30;
/** Rows of one slot that are loaded at a time. A slot with more is split into minutes first, and those into seconds. */
export const FAR_ROWS_TAKEN = 8;
/** The size is read once per this many starts, because the store needs time for it. */
export const FULL_ASKED_EVERY = 100;
/** Cached lookups of executions that are not in memory, or do not exist. */
export const LOOKUPS_REMEMBERED_MAX = 200;
/** Ids in one row of the resident list: rows are billed, not their content. */
export const ROLL_ROW_EXECUTIONS = 500;
