// Consumer limits: how a queue consumer claims, executes and settles the runs of a batch.

/**
 * The number of runs that a consumer executes concurrently. The platform lets an invocation wait for six answers at a
 * time.
 */
export const CONSUMER_SLOTS = 6;
/**
 * Into how many sub-batches a batch with more runs than slots is split. Each has its own invocation. The platform may
 * limit an invocation to 32 calls of other invocations, so the consumer makes one call per sub-batch and not one per
 * run.
 */
export const SUB_BATCHES = 4;
/**
 * The most slots of one tenant. It equals the number of slots, because a slot that no other tenant needs would
 * otherwise be unused.
 */
export const CONSUMER_SLOTS_PER_TENANT = CONSUMER_SLOTS;
/**
 * How long the waiting runs of a cell wait for a second free slot. Runs that begin together often end together, and one
 * call then settles both.
 */
export const CLAIM_GROUP_MS = 2;
/** The longest duration of a batch. It is below 15 minutes, after which the platform ends the invocation. */
export const BATCH_MS_MAX = 14.5 * 60_000;
/** If a sub-batch has not answered by then, it counts as lost. It would have ended within `BATCH_MS_MAX`. */
export const SUB_BATCH_MS_MAX = BATCH_MS_MAX + 10_000;
/** The number of bytes of a batch's random name. With that many, no two batches get the same name. */
export const BATCH_NAME_BYTES = 8;
/**
 * If a message is not begun within this time, it is requeued. So a run with the longest timeout still ends within the
 * batch.
 */
export const BATCH_BEGINS_MS = 10_000;
/**
 * If a cell has not answered by then, the call counts as lost. The caller may repeat it, because a repeat is harmless.
 */
export const CELL_CALL_MS_MAX = 10_000;
/** The gaps between repeated claims. If the last one fails, the queue delivers the message again later. */
export const CLAIM_RETRY_GAPS_MS = [100, 500] as const;
/** How long a settlement waits for other runs to end, so that one call settles all of them. */
export const SETTLE_GROUP_MS = 2;
/**
 * The gap between repeated settlements: the first one, and the longest one. It doubles each time. The repeats end at
 * the run's deadline.
 */
export const SETTLE_RETRY_MS = { first: 100, most: 10_000 } as const;
/**
 * After this time a batch executes no further runs of its executions. Its messages must then be acknowledged, because
 * other messages wait.
 */
export const NEXT_RUN_WITHIN_MS = 1_000;
/** The longest gap between the deliveries of a message, in seconds. The gaps double. */
export const MESSAGE_RETRY_S_MAX = 300;
/**
 * The first and the longest gap between tries to record the failure of a run. Its message is in the dead-letter queue.
 * The gap doubles after each try.
 */
export const DEAD_ACTION_RETRY_S = { first: 60, most: 3_600 } as const;
