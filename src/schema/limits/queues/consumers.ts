// Consumer limits: how a queue consumer claims, executes and settles the runs of a batch.

/** The number of a consumer's slots (concurrent runs). The platform lets an invocation wait for six answers at once. */
export const CONSUMER_SLOTS = 6;
/**
 * The number of invocations (sub-batches) for a batch that is larger than the slots. The platform may limit an invocation
 * to 32 calls of other invocations, so the consumer makes one call per sub-batch and none per run.
 */
export const SUB_BATCHES = 4;
/** The most slots of one tenant: all of them, because a slot that no other tenant needs would be empty. */
export const CONSUMER_SLOTS_PER_TENANT = CONSUMER_SLOTS;
/** How long the runs of a cell wait for a second free slot: runs that began together often end together. */
export const CLAIM_GROUP_MS = 2;
/** The longest duration of a batch. After 15 minutes the platform ends the invocation like a crash. */
export const BATCH_MS_MAX = 14.5 * 60_000;
/** A sub-batch without an answer by then is lost: it ends within the time of a batch. */
export const SUB_BATCH_MS_MAX = BATCH_MS_MAX + 10_000;
/** The length of a batch's random name. No two batches may have the same name. */
export const BATCH_NAME_BYTES = 8;
/** A message that is not begun within this time is requeued. The longest timeout still fits into the batch. */
export const BATCH_BEGINS_MS = 10_000;
/** A call to a cell without an answer by then may be lost. Repeating it is harmless. */
export const CELL_CALL_MS_MAX = 10_000;
/** Gaps between repeated claims. After them the message is retried later. */
export const CLAIM_RETRY_GAPS_MS = [100, 500] as const;
/** How long a settlement waits for other runs in progress, so that one call settles them. */
export const SETTLE_GROUP_MS = 2;
/** Gaps between repeated settlements: the first, doubled each time, and the longest. They end at the run's deadline. */
export const SETTLE_RETRY_MS = { first: 100, most: 10_000 } as const;
/** A batch accepts no next runs after this time, because its messages must be acknowledged and others wait. */
export const NEXT_RUN_WITHIN_MS = 1_000;
/** The longest gap between the deliveries of a message, in seconds. The gaps double. */
export const MESSAGE_RETRY_S_MAX = 300;
/** Gaps between tries to record the failure of a run whose message is in a dead-letter queue: doubled each time. */
export const DEAD_ACTION_RETRY_S = { first: 60, most: 3_600 } as const;
