// Live stream limits: subscribers of an execution's journal.

/** The most subscribers of an execution. Each costs memory in the object. */
export const LIVE_SUBSCRIBERS_MAX = 100;
/** A subscriber must reconnect after this time, so that no socket stays open forever. */
export const LIVE_STREAM_MS_MAX = 60 * 60_000;
/**
 * How long a subscriber gets entries before its API key is checked again. Isolates cache an API key for the same time.
 */
export const LIVE_KEY_CHECK_MS = 30_000;
/** How long entries of a stream wait for the check of the API key, at most. */
export const LIVE_KEY_CHECK_WAIT_MS = 5_000;
