// Pool limits: how a tenant's small executions are distributed over cells, and how many one call contains.

/** The most cells in a tenant's pool. */
export const POOL_SIZE_MAX = 64;
/** The period over which a cell's load is measured. A shorter burst does not enlarge the pool. */
export const POOL_WINDOW_MS = 5_000;
/**
 * The pool grows when a cell has more starts per second than this. A cell is one thread, in which three actions take
 * half a millisecond, or a whole one on a slow machine. A larger pool has a price: fewer inputs share a commit.
 */
export const POOL_STARTS_PER_S_MAX = 400;
/** A pool in which every cell has less than a quarter of `POOL_STARTS_PER_S_MAX` can shrink to a quarter. */
export const POOL_SHRINK_FACTOR = 4;
/** The largest factor by which one change enlarges a pool. */
export const POOL_GROW_FACTOR_MAX = 4;
/** A pool cell of this size gets no new executions, long before it reaches the platform's limit of 10 GB per object. */
export const POOL_CELL_BYTES_MAX = 2 ** 30;
/**
 * The minimum interval between a cell's reports that it is overloaded. Isolates use the enlarged pool within seconds.
 */
export const POOL_OVERLOAD_REPORT_EVERY_MS = 15_000;
/** The interval between a cell's reports that the pool needs its present size. */
export const POOL_NEEDED_REPORT_EVERY_MS = 60 * 60_000;
/** If a pool was larger than needed for this long, it shrinks. */
export const POOL_SHRINK_AFTER_MS = 24 * 60 * 60_000;
/** The most pools that one sweep checks for shrinking. */
export const POOLS_SHRUNK_MAX = 50;
/** How many times a key is routed again because its cell changed in the meantime. */
export const POOL_TRIES_MAX = 5;
/** The most keys in one answer of a cell to the cell that now owns them. */
export const POOL_KEYS_PAGE = 2_000;
/**
 * Up to this many keys of other cells are stored exactly. More keys are stored in a Bloom filter, which may also report
 * keys that it does not contain.
 */
export const POOL_KEYS_EXACT_MAX = 2_000;
/** The size of the Bloom filter for keys of other cells: 256 KB. */
export const POOL_FILTER_BITS = 2 ** 21;
/**
 * How long a superseded cell stores that other cells have superseded it. No caller caches a pool for longer than a day.
 */
export const POOL_FENCE_KEPT_MS = 48 * 60 * 60_000;
/** The most ids in one call to a cell: the call is one request and one commit. */
export const CELL_CALL_IDS_MAX = 100;
/** The most concurrent calls to cells: the platform gives an invocation six connections. */
export const CELL_CALLS_AT_ONCE = 6;
/**
 * The largest difference between the time in an id and the start of its execution. Clocks differ, and a start may wait.
 */
export const ID_TIME_SLACK_MS = 60 * 60_000;
