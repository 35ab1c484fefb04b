// Queues: batch sizes, and retry times.

/** A queue accepts at most this many messages in one call. */
export const QUEUE_SEND_MESSAGES_MAX = 100;
/** And at most 256,000 bytes, including the platform's own hundred or so per message. */
export const QUEUE_SEND_BYTES_MAX = 240_000;
/** A message holds 128,000 bytes, of which about a hundred are the platform's. A larger one can never be sent. */
export const QUEUE_MESSAGE_BYTES_MAX = 127_000;
/** Catalog rows share a message up to this many bytes. */
export const PROJECTION_MESSAGE_BYTES_MAX = 100_000;
/** After this many consecutive failed sends the queue counts as down, and the rest waits. */
export const QUEUE_DOWN_AFTER_FAILURES = 3;
/** After this many failures the consumer halves a refused batch, to find the faulty row. */
export const PROJECTIONS_HALVED_AFTER_FAILURES = 2;
/** A row that was refused alone this often, while others were accepted, is dropped. */
export const PROJECTION_REFUSALS_MAX = 5;
/** The logged part of a dropped row's name: the name may be the fault. */
export const DROPPED_NAME_CHARS_MAX = 300;

/** An action with a longer timeout uses the queue for slow actions, where it delays no short one. */
export const SLOW_ABOVE_MS = 50_000;

/** An attempt of this duration counts as slow: from then on its batch only waits for the runs in progress. */
export const LONG_ATTEMPT_MS = 10_000;
/**
 * The weight of the latest attempt; an action is slow from this share of slow attempts on: after the first one, or
 * three in a row.
 */
export const SLOW_LATELY_WEIGHT = 0.25;
export const SLOW_LATELY_FROM = 0.5;
/** Older durations expire, so the action is tried as a short one again. */
export const SLOW_LATELY_MS = 10 * 60_000;

/**
 * Of the platform's 250 invocations of a queue's consumer, the maximum for one tenant's runs. Recently active tenants
 * share it; each has at least the minimum.
 */
export const QUEUE_SHARE_ALL = 200;
export const QUEUE_SHARE_MIN = 10;
export const QUEUE_TENANT_SEEN_MS = 60_000;

/** A consumer's slots: concurrent runs. The platform lets an invocation wait for six answers at once. */
export const CONSUMER_PLACES = 6;
/**
 * A batch larger than the slots is executed in this many invocations, each with its own slots. The platform may limit
 * one invocation to 32 calls of others: so it is a call per sub-batch and none per run.
 */
export const CONSUMER_SHARES = 4;
/** The slots that one tenant may use. All: slots that no other tenant of the batch needs would be empty. */
export const CONSUMER_PLACES_A_TENANT = CONSUMER_PLACES;
/** How long a cell's runs wait for more than one free slot: actions that began together often end together. */
export const CLAIM_GROUP_MS = 2;
/** The platform limits a batch to 15 minutes and then ends it like a crash. */
export const BATCH_MS_MAX = 14.5 * 60_000;
/** A sub-batch ends within the time of a batch; one without an answer by then is lost. */
export const SHARE_MS_MAX = BATCH_MS_MAX + 10_000;
/** A batch has a random name; no two may share one. */
export const BATCH_NAME_BYTES = 8;
/**
 * Messages not begun after this are requeued, behind newer ones: a batch must not keep messages without a slot. The
 * longest possible timeout still fits then.
 */
export const BATCH_BEGINS_MS = 10_000;
/** A cell that does not answer for this long may have lost the call. Repeating it is harmless. */
export const CELL_CALL_MS_MAX = 10_000;
/** Gaps between repeated claims; then the message is retried later. */
export const CLAIM_AGAIN_MS = [100, 500] as const;
/** How long a settlement waits for other runs in progress. */
export const SETTLE_GROUP_MS = 2;
/**
 * Gaps between repeated settlements double, up to this. The outcome exists only here: it is repeated until its
 * deadline.
 */
export const SETTLE_AGAIN_MS = { first: 100, most: 10_000 } as const;
/** After this a batch accepts no next runs: its messages must be acknowledged, and others wait behind them. */
export const NEXT_RUN_WITHIN_MS = 1_000;

/** Gaps between the deliveries of a message double, up to this many seconds. */
export const MESSAGE_RETRY_S_MAX = 300;
export const DEAD_ACTION_RETRY_S = { first: 60, most: 3_600 } as const;
/** These delays double as well. With the queue's ten deliveries, D1 may be unavailable for most of an hour. */
export const PROJECTION_RETRY_S = { first: 5, most: 600 } as const;
/** How often a batch is halved when D1 refuses it: enough to find a few faulty rows, not to test each. */
export const PROJECTION_HALVINGS_MAX = 60;
/** How often a row that D1 refuses for its content is retried, because a deploy may fix it. Then it is dropped. */
export const PROJECTION_MISTAKE_ATTEMPTS_MAX = 4;
/** How often alerts that cannot be raised delay a message; its rows are written anyway. */
export const ALERT_RAISE_ATTEMPTS_MAX = 3;
