// Consumer limits: how a queue consumer claims, executes and settles the runs of a batch.

/** The number of concurrent runs of a consumer. The platform lets an invocation wait for six answers concurrently. */
export const CONSUMER_SLOTS = 6;
/**
 * The number of sub-batches of a batch that is larger than the slots; each has its own invocation. The platform may
 * limit an invocation to 32 calls of other invocations. The consumer therefore makes one call per sub-batch, not one
 * per run.
 */
export const SUB_BATCHES = 4;
/**
 * The most slots of one tenant. It is the number of all slots, because a slot that no other tenant needs would stay
 * free.
 */
export const CONSUMER_SLOTS_PER_TENANT = CONSUMER_SLOTS;
/**
 * How long the waiting runs of a cell wait for a second free slot. Runs that begin together often end together, and
 * then share a settle call.
 */
export const CLAIM_GROUP_MS = 2;
/** The longest duration of a batch. After 15 minutes the platform ends the invocation like a crash. */
export const BATCH_MS_MAX = 14.5 * 60_000;
/**
 * A sub-batch counts as lost if it has not answered by then. It ends within `BATCH_MS_MAX`, so an answer would have
 * arrived.
 */
export const SUB_BATCH_MS_MAX = BATCH_MS_MAX + 10_000;
/** The length of a batch's random name. No two batches may have the same name. */
export const BATCH_NAME_BYTES = 8;
/** A message that is not begun within this time is requeued. The longest timeout still fits into the batch. */
export const BATCH_BEGINS_MS = 10_000;
/**
 * A call to a cell counts as lost if no answer has arrived by then. The caller may repeat the call, because a repeat is
 * harmless.
 */
export const CELL_CALL_MS_MAX = 10_000;
/** Gaps between repeated claims. After them the message is retried later. */
export const CLAIM_RETRY_GAPS_MS = [100, 500] as const;
/** How long a settlement waits for other runs in progress, so that one call settles them. */
export const SETTLE_GROUP_MS = 2;
/** Gaps between repeated settlements: the first, doubled each time, and the longest. They end at the run's deadline. */
export const SETTLE_RETRY_MS = { first: 100, most: 10_000 } as const;
/**
 * A batch executes no further runs of its executions after this time. Its messages must be acknowledged, because other
 * messages wait.
 */
export const NEXT_RUN_WITHIN_MS = 1_000;
/** The longest gap between the deliveries of a message, in seconds. The gaps double. */
export const MESSAGE_RETRY_S_MAX = 300;
/**
 * The shortest and the longest gap between tries to record the failure of a run whose message is in the dead-letter
 * queue. The gap doubles after each try.
 */
export const DEAD_ACTION_RETRY_S = { first: 60, most: 3_600 } as const;
