// Live stream limits: the subscribers of an execution's journal.

/** The most subscribers of an execution. Each uses memory in the object. */
export const LIVE_SUBSCRIBERS_MAX = 100;
/** After this time a subscriber must reconnect. So no socket stays open forever. */
export const LIVE_STREAM_MS_MAX = 60 * 60_000;
/**
 * How long a subscriber gets entries before its API key is checked again. It is the time for which isolates cache an
 * API key.
 */
export const LIVE_KEY_CHECK_MS = 30_000;
/** The longest time for which a stream's entries wait while the API key is checked. */
export const LIVE_KEY_CHECK_WAIT_MS = 5_000;
