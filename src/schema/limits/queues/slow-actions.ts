// Slow action limits: which actions use the queue for slow actions, and what share of a queue one tenant may use.

/** An action with a longer timeout uses the queue for slow actions, so that it delays no short action. */
export const SLOW_ABOVE_MS = 50_000;
/** An attempt of this duration is slow. From then on the batch only waits for the runs in progress. */
export const LONG_ATTEMPT_MS = 10_000;
/** The weight of the latest attempt in an action's share of slow attempts. */
export const SLOW_LATELY_WEIGHT = 0.25;
/** An action is slow from this share of slow attempts on: after the first attempt, or after three in a row. */
export const SLOW_LATELY_FROM = 0.5;
/** Durations of attempts expire after this time, so that the action is tried as a short one again. */
export const SLOW_LATELY_MS = 10 * 60_000;

/** The platform runs 250 invocations of a queue's consumer. Active tenants share this many of them. */
export const QUEUE_SHARE_ALL = 200;
/** The fewest invocations of one active tenant. */
export const QUEUE_SHARE_MIN = 10;
/** A tenant with runs within this time is active. */
export const QUEUE_TENANT_SEEN_MS = 60_000;
