// Dead letter limits: how many an execution may have, how long they are kept, and which failures are critical.

/**
 * The most open dead letters of an execution. The next permanent failure pauses the execution, so that an operator
 * checks it.
 */
export const OPEN_DEAD_LETTERS_MAX = 100;
/** How long a dead letter waits for an operator. The execution's history is kept for the same time. */
export const DEAD_LETTER_KEPT_MS = 30 * 24 * 60 * 60_000;
/** Dead letters of this action type are critical, so they raise a critical alert. */
export const CRITICAL_TYPE = "blockchain_mint";
/** Dead letters with a priority above this value are critical, so they raise a critical alert. */
export const CRITICAL_ABOVE_PRIORITY = 90;
