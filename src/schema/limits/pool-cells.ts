// Pool limits: how a tenant's small executions are distributed over cells, and how many executions one call to a cell
// contains.

/** The most cells in a tenant's pool. */
export const POOL_SIZE_MAX = 64;
/** The period over which the load of a cell is measured. A burst that is shorter does not enlarge the pool. */
export const POOL_WINDOW_MS = 5_000;
/**
 * If a cell has more starts per second than this, its pool grows. A cell is one thread, and three actions take half a
 * millisecond, or a whole one on a slow machine. In a larger pool, fewer inputs share a commit.
 */
export const POOL_STARTS_PER_S_MAX = 400;
/** By this factor a pool shrinks. Each of its cells must have less than this part of `POOL_STARTS_PER_S_MAX`. */
export const POOL_SHRINK_FACTOR = 4;
/** The largest factor by which one change enlarges a pool. */
export const POOL_GROW_FACTOR_MAX = 4;
/** A pool cell of this size gets no new executions. It is far below the platform's limit of 10 GB per object. */
export const POOL_CELL_BYTES_MAX = 2 ** 30;
/**
 * The shortest interval between two reports of a cell that it is overloaded. After a report, isolates use the enlarged
 * pool within seconds.
 */
export const POOL_OVERLOAD_REPORT_EVERY_MS = 15_000;
/** The interval between reports of a cell that its pool needs the current size. */
export const POOL_NEEDED_REPORT_EVERY_MS = 60 * 60_000;
/** How long a pool must be larger than needed before it shrinks. */
export const POOL_SHRINK_AFTER_MS = 24 * 60 * 60_000;
/** The most pools that one sweep checks for shrinking. */
export const POOLS_SHRUNK_MAX = 50;
/** How many times a start is sent to another cell because its key belongs there. The pool may change meanwhile. */
export const POOL_TRIES_MAX = 5;
/** The most keys in one answer of a cell to the cell that now owns the keys. */
export const POOL_KEYS_PAGE = 2_000;
/**
 * Up to this many keys that belong to other cells are stored exactly. If there are more, a Bloom filter stores them,
 * which may also match keys that it does not contain.
 */
export const POOL_KEYS_EXACT_MAX = 2_000;
/** The size of the Bloom filter in bits, which is 256 KB. It stores keys that belong to other cells. */
export const POOL_FILTER_BITS = 2 ** 21;
/** How long a cell stores that other cells have superseded it. No caller caches a pool for longer than a day. */
export const POOL_FENCE_KEPT_MS = 48 * 60 * 60_000;
/** The most ids in one call to a cell. The call is one request and one commit. */
export const CELL_CALL_IDS_MAX = 100;
/** The most concurrent calls to cells. The platform gives an invocation six connections. */
export const CELL_CALLS_AT_ONCE = 6;
/**
 * The largest difference between the time in an id and the start of its execution. The clocks of machines differ, and a
 * start may wait.
 */
export const ID_TIME_SLACK_MS = 60 * 60_000;
