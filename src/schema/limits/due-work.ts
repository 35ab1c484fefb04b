// Due work limits: how many due executions a cell wakes per turn of its event loop.

/** The first and the smallest number of executions woken in one turn. Each turn has its own commit. */
export const DUE_SLICE_EXECUTIONS = 50;
/**
 * The intended duration of a turn. The number of executions in the next turn is computed from the duration of the last
 * turn.
 */
export const DUE_SLICE_MS = 200;
/** The largest number of executions woken in one turn. */
export const DUE_SLICE_EXECUTIONS_MAX = 1_000;
/** The largest total text of the executions of one turn. A larger execution has a turn of its own. */
export const DUE_SLICE_CHARS_MAX = 4_000_000;
/** How long due executions wait for a direct call slot. After this time their runs use the queue. */
export const DUE_SLOT_WAIT_MS_MAX = 1_000;
/**
 * The most executions that one log line names for a fault. The line also contains the number of all affected
 * executions.
 */
export const FAILED_ITEMS_LOGGED_MAX = 10;
