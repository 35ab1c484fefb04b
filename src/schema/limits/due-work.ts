// Due work limits: how many due executions a cell wakes in one turn of its event loop.

/** How many executions are woken in the first turn, and at least in each later turn. Each turn has its own commit. */
export const DUE_SLICE_EXECUTIONS = 50;
/** The intended duration of a turn. The duration of the last turn decides how many executions the next turn wakes. */
export const DUE_SLICE_MS = 200;
/** The largest number of executions woken in one turn. */
export const DUE_SLICE_EXECUTIONS_MAX = 1_000;
/** The largest total text of the executions woken in one turn. An execution with more text has a turn of its own. */
export const DUE_SLICE_CHARS_MAX = 4_000_000;
/** How long due executions wait until a direct call can be made. After this time their runs use the queue. */
export const DUE_SLOT_WAIT_MS_MAX = 1_000;
/**
 * The most executions that one log line about a fault names. The line also has the number of all affected executions.
 */
export const FAILED_ITEMS_LOGGED_MAX = 10;
