// Child limits: depth, number and search times of executions that start or continue other executions.

/**
 * The longest chain of executions in which each waits for the end of the next. The outermost execution is not counted.
 */
export const CHILD_DEPTH_MAX = 16;
/**
 * The longest chain of executions in which each starts the next without waiting for it. The limit ends an endless
 * chain.
 */
export const RELAYS_MAX = 1_000;
/** If an execution lives this long before it starts the next one, the count for `RELAYS_MAX` begins again. */
export const RELAY_REST_MS = 60 * 60_000;
/** The most open children of one execution: each is stored in the execution's row. */
export const CHILDREN_OPEN_MAX = 500;
/** A start is refused this long after its attempt's deadline. The addition covers the difference between clocks. */
export const CHILD_START_GRACE_MS = 60_000;
/** How many levels below and above the requested execution a tree contains. */
export const TREE_DEPTH_MAX = 32;
/** The most executions in one page of a tree: each is read from its own cell. */
export const TREE_PAGE_MAX = 50;
/**
 * The longest cursor of a tree. The cursor contains the path from the requested execution to the page's last execution.
 */
export const TREE_CURSOR_CHARS_MAX = 4_000;
/** The most waits listed per execution of a tree. */
export const TREE_WAITS_MAX = 3;
