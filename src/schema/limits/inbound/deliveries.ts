// Delivery limits: what a trigger stores of a request, and how it delivers to executions.
const KIB = 1024;
const DAY = 24 * 60 * 60_000;

/** How long a delivery's id detects repeats. The delivery is deleted afterwards. */
export const DELIVERY_KEPT_MS = 7 * DAY;
/** A delivery id that is longer than this is stored as its digest. */
export const DELIVERY_ID_CHARS_MAX = 200;
/** The most deliveries in one request: SendGrid and CloudEvents send lists. */
export const DELIVERIES_PER_REQUEST_MAX = 1_000;
/** The number of bytes read from a body at a time. A read of a small chunk costs as much as a read of a large chunk. */
export const BODY_PIECE_BYTES = 64 * KIB;
/**
 * The number of bytes converted to text in one call. Each byte is an argument of the call, and their number is limited.
 */
export const ENCODED_PIECE_BYTES = 8 * KIB;
/** The most fields of a form. Senders of webhooks use some dozens; PHP and Django accept a thousand by default. */
export const FORM_FIELDS_MAX = 1_000;
/** The largest size of the headers that a mapping sees. Signatures, credentials and further headers are dropped. */
export const HOOK_HEADERS_BYTES_MAX = 16 * KIB;
/** The number of latest successful deliveries of which the request stays readable. */
export const REQUESTS_KEPT_MAX = 1_000;
/** The largest stored request with headers. A row may have 2 MB, and also contains the result of the mapping. */
export const STORED_REQUEST_BYTES_MAX = 1_500 * KIB;
/**
 * The largest total size of the deliveries of one request. Each delivery stores the headers, and one call sends all
 * deliveries to the object.
 */
export const STORED_REQUESTS_BYTES_MAX = 8 * KIB * KIB;

/** The most deliveries that wait for a corrected mapping. Beyond it senders get a retryable refusal. */
export const STUCK_DELIVERIES_MAX = 10_000;
/** The largest size of the deliveries that wait for a corrected mapping. Beyond it senders get a retryable refusal. */
export const STUCK_BYTES_MAX = 256 * KIB * KIB;
/** The most deliveries in transit to executions. Beyond it senders get a retryable refusal. */
export const PENDING_DELIVERIES_MAX = 10_000;
/** The Retry-After of a trigger with too many stuck deliveries: an operator may have corrected the mapping by then. */
export const FULL_TRIGGER_RETRY_S = 300;

/** The number of deliveries processed before the object handles other requests. Each takes a millisecond or two. */
export const DELIVERIES_AT_ONCE = 25;
/** The guard alarm: if the trigger's object is evicted while it processes deliveries, this alarm wakes it again. */
export const DELIVERY_GUARD_MS = 30_000;
export const LAST_DELIVERY_GAP_MS = 10 * 60_000;
/** Gaps between repeated deliveries to an execution. The last gap repeats. */
export const DELIVERY_GAPS_MS: readonly number[] = [1_000, 5_000, 30_000, 2 * 60_000, LAST_DELIVERY_GAP_MS];
/** How long a delivery is repeated: longer than an outage lasts. After this time an operator decides. */
export const DELIVERY_MS_MAX = DAY;
/** The number of expired deliveries deleted at a time. */
export const DELIVERIES_PURGED_AT_ONCE = 500;
/** The most chunks of expired deliveries deleted in one alarm. */
export const DELIVERY_CHUNKS_PER_ALARM = 10;
/**
 * The most slices delivered and pages read in one alarm. A page may take 30 s, and the platform limits an alarm to 15
 * minutes.
 */
export const TRIGGER_STEPS_PER_ALARM_MAX = 20;
/** The most deliveries that one replay request maps again. */
export const REPLAYED_AT_ONCE_MAX = 100;

/** The longest stored error message of a mapping. */
export const DELIVERY_REASON_CHARS_MAX = 500;
/** The longest shown part of an invalid value that a mapping returned. */
export const INVALID_VALUE_SHOWN_CHARS = 80;
/** The longest correlation id that a mapping may return, as for a client's own. */
export const CORRELATION_ID_CHARS_MAX = 200;

/** If more deliveries are stuck than were reported, the report is repeated after this time. */
export const STUCK_REPORT_REPEAT_MS = 60 * 60_000;
/** After this many consecutive failed polls an operator is alerted. */
export const POLL_FAILURES_ALERTED = 3;
/** A failed report of a trigger to the catalog is repeated after this time. */
export const TRIGGER_REPORT_RETRY_MS = 5 * 60_000;
