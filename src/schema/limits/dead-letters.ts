// Dead letter limits: how many an execution may have, how long they are kept, and which failures are critical.

/** The most open dead letters of an execution. One more permanent failure pauses it, so that an operator checks it. */
export const OPEN_DEAD_LETTERS_MAX = 100;
/** How long a dead letter waits for an operator. The execution keeps its history as long. */
export const DEAD_LETTER_KEPT_MS = 30 * 24 * 60 * 60_000;
/** A dead letter of this action type is critical: it raises an alert. */
export const CRITICAL_TYPE = "blockchain_mint";
/** A dead letter with a higher priority than this is critical: it raises an alert. */
export const CRITICAL_ABOVE_PRIORITY = 90;
