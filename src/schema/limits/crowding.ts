// A cell that holds very many executions keeps only those in memory that it has to do with soon.

/** Up to so many heads a cell knows all of them; beyond, those at rest leave its memory. */
export const HEADS_IN_MEMORY = 2_000;
/** At rest is what need not be looked at for so long, and what the catalog has been told all of. */
export const REST_BEYOND_MS = 60 * 60_000;
/** Those at rest come back together with all others of their quarter of an hour, and so much earlier. */
export const FAR_SLOT_MS = 15 * 60_000;
export const FAR_LEAD_MS = 60_000;
/** An object may hold 10 GB. Before that its cell takes in no more, so that all it holds can still go on, and end. */
export const CELL_BYTES_MAX = 9 * 2 ** 30;
/** Of one slot so many rows are taken in at a time. One that has more is parted into smaller ones first, a minute each, and those into seconds. */
export const FAR_ROWS_TAKEN = 8;
/** How full it is, is looked at with every so many starts: the store takes its time to tell. */
export const FULL_ASKED_EVERY = 100;
/** What was looked up of those that are not in memory, or are not there at all. */
export const LOOKUPS_REMEMBERED_MAX = 200;
/** Ids that one row of the roll holds: rows are billed, and not what is in them. */
export const ROLL_ROW_EXECUTIONS = 500;
