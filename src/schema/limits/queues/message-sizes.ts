// Queue message limits of the platform, and of projections in the catalog queue.

/** The most messages in one send to a queue. */
export const QUEUE_SEND_MESSAGES_MAX = 100;
/**
 * The largest size of one send: the platform's 256,000 bytes, less some hundred bytes that the platform adds to each
 * message.
 */
export const QUEUE_SEND_BYTES_MAX = 240_000;
/** The largest message: 128,000 bytes, less the platform's own hundred. A larger message can never be sent. */
export const QUEUE_MESSAGE_BYTES_MAX = 127_000;
/** After this many consecutive failed sends the queue counts as down, and further messages wait. */
export const QUEUE_DOWN_AFTER_FAILURES = 3;
/** The largest size of the catalog rows that share a message. */
export const PROJECTION_MESSAGE_BYTES_MAX = 100_000;
/** After this many failures the sender halves a refused batch of projections, to find the faulty row. */
export const PROJECTIONS_HALVED_AFTER_FAILURES = 2;
/** A row is dropped if it was refused alone this many times while other rows were accepted. */
export const PROJECTION_REFUSALS_MAX = 5;
/** The number of characters of a dropped row's name that are logged. The name itself may be too long. */
export const DROPPED_NAME_CHARS_MAX = 300;
/** Gaps between deliveries of projections, doubled each time. The queue's ten deliveries cover an hour without D1. */
export const PROJECTION_RETRY_S = { first: 5, most: 600 } as const;
/** The most halvings of a batch that D1 refuses: enough to find a few faulty rows, but not to test each row. */
export const PROJECTION_HALVINGS_MAX = 60;
/**
 * A row that D1 refuses because of its content is dropped after this many attempts. Until then a deploy may fix the
 * cause.
 */
export const PROJECTION_MISTAKE_ATTEMPTS_MAX = 4;
/** A message whose alerts cannot be raised is retried up to this many attempts. Its rows are written in any case. */
export const ALERT_RAISE_ATTEMPTS_MAX = 3;
