// Direct call limits: attempts that a cell runs itself, without the queue.

/** The longest timeout of a direct call. An action with a longer timeout uses the queue. */
export const DIRECT_TIMEOUT_MS_MAX = 30_000;
/**
 * The most direct calls in flight per cell with one execution. After a restart of the object this many calls are sent
 * again. Each call runs in an invocation of the Worker, so the platform's limit of six connections does not apply.
 */
export const DIRECT_IN_FLIGHT_MAX = 24;
/** The most direct calls in flight per pool cell: a small tenant has only one pool cell. */
export const POOLED_IN_FLIGHT_MAX = 384;
/** The most direct calls in one invocation. The platform lets an invocation wait for six answers at the same time. */
export const DIRECT_CALLS_PER_INVOCATION_MAX = 6;
/** How long a completed direct call waits for the other calls of its invocation, so that one commit stores them. */
export const DIRECT_RESULTS_GROUP_MS = 1;
/** Gaps between tries to store the outcome of a direct call, after a failed write or a bug. */
export const DIRECT_RESULT_RETRY_GAPS_MS = [1_000, 5_000, 20_000, 60_000] as const;
