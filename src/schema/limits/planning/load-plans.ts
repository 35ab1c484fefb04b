// Load plan limits: how much load one machine generates, and for how long.

/**
 * The most concurrent requests of a load plan. With more of them, the machine that sends the requests would be the
 * bottleneck.
 */
export const LOAD_CONCURRENCY_MAX = 500;
/** The most requests per second of a load plan. */
export const LOAD_REQUESTS_PER_SECOND_MAX = 10_000;
/** The shortest and the longest duration of a load plan. */
export const LOAD_DURATION_MS_MIN = 1_000;
export const LOAD_DURATION_MS_MAX = 60 * 60_000;
/** The most values of one variable of a load plan. They are used in turn. */
export const LOAD_VALUES_MAX = 1_000;
/** The most steps in which a load plan increases its load. */
export const LOAD_STAGES_MAX = 10;
/** The most executions whose end the load script awaits at the same time. */
export const LOAD_FOLLOWED_AT_ONCE = 200;
/** How long the load script waits at its end for the executions that have not ended. */
export const LOAD_DRAIN_MS = 30_000;
/** How long the simulated call of a slow provider takes. */
export const LOAD_SLOW_MS = 2_000;
/** The largest share of an action's timeout that a simulated slow call takes. */
export const LOAD_SLOW_SHARE = 0.5;
/** The share of simulated calls that fail. */
export const LOAD_ERROR_SHARE = 0.2;
