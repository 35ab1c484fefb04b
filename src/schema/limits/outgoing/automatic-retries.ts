// Automatic retry limits: dead letters that are retried after a connection's breaker has closed.

/** The default number of automatic retries of a dead letter. */
export const AUTO_RETRIES = 1;
/** The largest number of automatic retries of a dead letter. */
export const AUTO_RETRIES_MAX = 10;
/**
 * How long the breaker must be closed before automatic retries begin. Each time that it opens again meanwhile doubles
 * the wait.
 */
export const AUTO_RETRY_QUIET_MS = { least: 1_000, usual: 60_000, most: 60 * 60_000 } as const;
/** A breaker that opens again within this time counts as flapping. */
export const AUTO_RETRY_FLAPPING_MS = 60 * 60_000;
/** If the operation that retries dead letters cannot start, it is started again after this time. */
export const AUTO_RETRY_START_AGAIN_MS = 60_000;
