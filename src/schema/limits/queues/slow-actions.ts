// Slow action limits: which actions use the queue for slow actions, and what share of a queue one tenant may use.

/** An action with a longer timeout uses the queue for slow actions, so that it delays no short action. */
export const SLOW_ABOVE_MS = 50_000;
/** An attempt counts as slow as soon as it has lasted this long. The batch then only waits for the runs in progress. */
export const LONG_ATTEMPT_MS = 10_000;
/** The weight of the latest attempt in an action's share of slow attempts. */
export const SLOW_LATELY_WEIGHT = 0.25;
/**
 * An action counts as slow if its share of slow attempts is at least this. One slow first attempt is enough, otherwise
 * three slow attempts in a row.
 */
export const SLOW_LATELY_FROM = 0.5;
/** Durations of attempts are forgotten after this time. The action then uses the queue of short actions again. */
export const SLOW_LATELY_MS = 10 * 60_000;

/** Active tenants share this many invocations of a queue's consumer. The platform runs at most 250. */
export const QUEUE_SHARE_ALL = 200;
/** The smallest number of invocations that an active tenant gets. */
export const QUEUE_SHARE_MIN = 10;
/** A tenant counts as active for this time after its last run. */
export const QUEUE_TENANT_SEEN_MS = 60_000;
