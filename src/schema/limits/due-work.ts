// Due work limits: how many due executions a cell wakes per turn of its event loop.

/** The first and the smallest number of executions woken in one turn. Each turn has its own commit. */
export const DUE_SLICE_EXECUTIONS = 50;
/** The aimed duration of a turn: the next turn's number of executions follows from the turn before. */
export const DUE_SLICE_MS = 200;
/** The largest number of executions woken in one turn. */
export const DUE_SLICE_EXECUTIONS_MAX = 1_000;
/** The largest total text of the executions of one turn. A larger execution has a turn of its own. */
export const DUE_SLICE_CHARS_MAX = 4_000_000;
/** How long due executions wait for a direct call slot. After that the waiting runs use the queue. */
export const DUE_SLOT_WAIT_MS_MAX = 1_000;
/** The most executions that one log line names for a fault. The line counts all of them. */
export const FAILED_ITEMS_LOGGED_MAX = 10;
