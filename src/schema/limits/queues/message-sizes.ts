// Queue message limits: those of the platform, and those of projections in the catalog queue.

/** The most messages in one send to a queue. */
export const QUEUE_SEND_MESSAGES_MAX = 100;
/** The largest size of one send. The platform allows 256,000 bytes, of which it uses some hundred for each message. */
export const QUEUE_SEND_BYTES_MAX = 240_000;
/**
 * The largest message. The platform allows 128,000 bytes, of which it uses some hundred. A larger message can never be
 * sent.
 */
export const QUEUE_MESSAGE_BYTES_MAX = 127_000;
/** After this many consecutive failed sends the queue counts as down, and further messages wait. */
export const QUEUE_DOWN_AFTER_FAILURES = 3;
/** The largest total size of the catalog rows in one message. */
export const PROJECTION_MESSAGE_BYTES_MAX = 100_000;
/**
 * After this many failures the sender splits a refused batch of projections in half, to find the row that causes the
 * refusal.
 */
export const PROJECTIONS_HALVED_AFTER_FAILURES = 2;
/**
 * After this many refusals of a row that was sent alone, the row is dropped. They count only if other rows were
 * accepted meanwhile.
 */
export const PROJECTION_REFUSALS_MAX = 5;
/** How many characters of a dropped row's name are logged. The name itself may be the part that is too long. */
export const DROPPED_NAME_CHARS_MAX = 300;
/**
 * The gap between deliveries of projections: the first one, and the longest one. It doubles each time. The queue's ten
 * deliveries last for an outage of D1 of an hour.
 */
export const PROJECTION_RETRY_S = { first: 5, most: 600 } as const;
/**
 * How many times a batch that D1 refuses is split in half. It is enough to find a few faulty rows, but not to test each
 * row.
 */
export const PROJECTION_HALVINGS_MAX = 60;
/**
 * After this many attempts a row is dropped if D1 refuses it because of its content. Until then a deploy may fix the
 * cause.
 */
export const PROJECTION_MISTAKE_ATTEMPTS_MAX = 4;
/** How many times a message is delivered if its alerts cannot be raised. Its rows are written in any case. */
export const ALERT_RAISE_ATTEMPTS_MAX = 3;
