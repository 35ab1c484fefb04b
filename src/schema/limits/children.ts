// Children: limits of executions that start or continue others: depth, number, and search times.

/** Executions that wait for each other's ends, one below the other, the outermost not counted. */
export const CHILD_DEPTH_MAX = 16;
/** Executions that each start the next one without waiting: an endless chain stops here. */
export const RELAYS_MAX = 1_000;
/** An execution that lives this long before it starts the next is not a runaway: the count restarts. */
export const RELAY_REST_MS = 60 * 60_000;
/** Open children of one execution: each is kept in its row. */
export const CHILDREN_OPEN_MAX = 500;
/** How far below and above the requested execution a tree is returned. */
export const TREE_DEPTH_MAX = 32;
/** Executions in one answer: each is read from its own cell. */
export const TREE_PAGE_MAX = 50;
/** A cursor is the path from the requested execution to the last one returned. */
export const TREE_CURSOR_CHARS_MAX = 4_000;
/** Waits listed per execution of a tree. */
export const TREE_WAITS_MAX = 3;
/**
 * A start is refused after its attempt's deadline. Because clocks differ a little, it cannot begin later than this
 * after it.
 */
export const CHILD_START_GRACE_MS = 60_000;
/** Journal entries read from the start: longer histories are restarted with "repeat": "all". */
export const RESTART_ENTRIES_MAX = 5_000;
/** Total size of the reused results. */
export const RESTART_MADE_BYTES_MAX = 256 * 1024;
/** Listed results, the latest ones. */
export const RESTART_LISTED_MAX = 200;
