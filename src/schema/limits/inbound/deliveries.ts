// Delivery limits: what a trigger stores of a request, and how it delivers to executions.
const KIB = 1024;
const DAY = 24 * 60 * 60_000;

/**
 * How long a delivery is stored. Until then its id detects repeats. The time is longer than an event may wait
 * for an execution, so that an operator can replay the delivery of an event that no execution accepted.
 */
export const DELIVERY_KEPT_MS = 10 * DAY;
/** A delivery id that is longer than this is stored as its digest. */
export const DELIVERY_ID_CHARS_MAX = 200;
/** The most deliveries in one request. SendGrid and CloudEvents send several deliveries as a list. */
export const DELIVERIES_PER_REQUEST_MAX = 1_000;
/** How many bytes of a body are read at a time. Reading a small chunk costs as much as reading a large one. */
export const BODY_PIECE_BYTES = 64 * KIB;
/**
 * How many bytes one call converts to text. Each byte is an argument of the call, and a call may have a limited number
 * of arguments.
 */
export const ENCODED_PIECE_BYTES = 8 * KIB;
/** The most fields of a form. Senders of webhooks use some dozens; PHP and Django accept a thousand by default. */
export const FORM_FIELDS_MAX = 1_000;
/**
 * The largest size of the headers that a mapping sees. Signatures and credentials are dropped, and so are the headers
 * beyond this size.
 */
export const HOOK_HEADERS_BYTES_MAX = 16 * KIB;
/** How many of the latest successful deliveries keep their request. The requests of earlier ones are deleted. */
export const REQUESTS_KEPT_MAX = 1_000;
/**
 * The largest stored request with its headers. The platform limits a row to 2 MB, and the row also contains the result
 * of the mapping.
 */
export const STORED_REQUEST_BYTES_MAX = 1_500 * KIB;
/**
 * The largest total size of the deliveries in one request. Each delivery contains the headers, and one call sends all
 * of them to the object.
 */
export const STORED_REQUESTS_BYTES_MAX = 8 * KIB * KIB;

/**
 * The most deliveries that may wait for a corrected mapping. If there are more, senders get a refusal and retry later.
 */
export const STUCK_DELIVERIES_MAX = 10_000;
/**
 * The largest total size of the deliveries that may wait for a corrected mapping. If it is exceeded, senders get a
 * refusal and retry later.
 */
export const STUCK_BYTES_MAX = 256 * KIB * KIB;
/**
 * The most deliveries that may be on their way to executions. If there are more, senders get a refusal and retry later.
 */
export const PENDING_DELIVERIES_MAX = 10_000;
/** The Retry-After if a trigger has too many stuck deliveries. By then an operator may have corrected the mapping. */
export const FULL_TRIGGER_RETRY_S = 300;

/**
 * The most published deliveries, whose events wait for an execution. Each stores its request, so the limit also bounds
 * the size of the object.
 */
export const PUBLISHED_DELIVERIES_MAX = 5_000;

/** How many deliveries are processed before the object handles other requests. Each takes a millisecond or two. */
export const DELIVERIES_AT_ONCE = 25;
/**
 * When the guard alarm fires. It wakes the trigger's object if the object was evicted while it processed deliveries.
 */
export const DELIVERY_GUARD_MS = 30_000;
export const LAST_DELIVERY_GAP_MS = 10 * 60_000;
/** The gaps between repeated deliveries to an execution. After the last one, the last gap is repeated. */
export const DELIVERY_GAPS_MS: readonly number[] = [1_000, 5_000, 30_000, 2 * 60_000, LAST_DELIVERY_GAP_MS];
/** How long a delivery is repeated. It is longer than an outage lasts. After this time an operator decides. */
export const DELIVERY_MS_MAX = DAY;
/** The number of expired deliveries deleted at a time. */
export const DELIVERIES_PURGED_AT_ONCE = 500;
/** The most chunks of expired deliveries that one alarm deletes. */
export const DELIVERY_CHUNKS_PER_ALARM = 10;
/**
 * The most slices and pages that one alarm processes. A page may take 30 s, and the platform limits an alarm to 15
 * minutes.
 */
export const TRIGGER_STEPS_PER_ALARM_MAX = 20;
/** The most deliveries that one replay request maps again. */
export const REPLAYED_AT_ONCE_MAX = 100;

/** The longest stored error message of a mapping. */
export const DELIVERY_REASON_CHARS_MAX = 500;
/** The longest shown part of an invalid value that a mapping returned. */
export const INVALID_VALUE_SHOWN_CHARS = 80;
/** The longest correlation id that a mapping may return. The limit is the same for ids that clients send. */
export const CORRELATION_ID_CHARS_MAX = 200;

/** The alert about a stuck delivery is sent after this time, so that one alert reports the deliveries of a burst. */
export const STUCK_REPORT_DELAY_MS = 10_000;
/** How long after an alert about stuck deliveries the next one is sent, if more deliveries are stuck by then. */
export const STUCK_REPORT_REPEAT_MS = 60 * 60_000;
/** How many consecutive polls must fail before an operator is alerted. */
export const POLL_FAILURES_ALERTED = 3;
/** How long after a failed report of a trigger to the catalog the report is repeated. */
export const TRIGGER_REPORT_RETRY_MS = 5 * 60_000;
