// Inbound triggers: what they accept, store and deliver.

const KIB = 1024;
const DAY = 24 * 60 * 60_000;

/** How far a signed time may be from ours, either way: older recordings are invalid. */
export const SIGNED_TIME_MS = 5 * 60_000;
/** Keys compared in one batch, padded: the duration does not reveal how many there are. */
export const HOOK_KEYS_COMPARED = 4;
/** How long a delivery's id detects repeats. Everything stored of it is deleted afterwards. */
export const DELIVERY_KEPT_MS = 7 * DAY;
/** A longer delivery id is stored as its digest. */
export const DELIVERY_ID_CHARS_MAX = 200;
/** Deliveries in one request: SendGrid and CloudEvents send lists. */
export const DELIVERIES_PER_REQUEST_MAX = 1_000;
/** Bytes of one read of a body: it may arrive in chunks of one byte, and a small read costs as much as a large one. */
export const BODY_PIECE_BYTES = 64 * KIB;
/** Bytes converted to text in one call: each is an argument. */
export const ENCODED_PIECE_BYTES = 8 * KIB;
/** Fields of one form. Senders of webhooks use some dozens; PHP and Django accept as many by default. */
export const FORM_FIELDS_MAX = 1_000;
/** The requests of the latest successful deliveries are kept, for reading. */
export const REQUESTS_KEPT_MAX = 1_000;
/** A stored request with its headers: a row may have 2 MB, and also contains the mapping's result. */
export const KEPT_REQUEST_BYTES_MAX = 1_500 * KIB;
/**
 * All deliveries of a request as stored: each has the request's headers, and they are sent to their object in one call.
 */
export const KEPT_REQUESTS_BYTES_MAX = 8 * KIB * KIB;
/** Deliveries, and their bytes, that may wait for a fixed mapping; beyond that senders get a retryable refusal. */
export const STUCK_DELIVERIES_MAX = 10_000;
export const STUCK_BYTES_MAX = 256 * KIB * KIB;
/** Deliveries that may be on their way to executions; beyond that senders get a retryable refusal. */
export const PENDING_DELIVERIES_MAX = 10_000;
/** Room appears when an operator has fixed a mapping, or an outage is over. */
export const ROOM_RETRY_S = 300;
/** Rates are per minute. */
export const RATE_MS = 60_000;
/** A request's headers, as a mapping sees them. Headers beyond this are dropped, as are signatures and credentials. */
export const HOOK_HEADERS_BYTES_MAX = 16 * KIB;
/** Deliveries processed before other requests have their turn: each costs a millisecond or two. */
export const DELIVERIES_AT_ONCE = 25;
/** Wakes the object again if it is lost in the middle of a slice. */
export const HAND_OVER_GUARD_MS = 30_000;
/** Gaps between repeated deliveries; the last one repeats. */
export const HAND_OVER_GAPS_MS = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000] as const;
/** Longer than an outage; then an operator decides. */
export const HAND_OVER_MS_MAX = DAY;
/** Expired deliveries are deleted in chunks of this size, and this many chunks per alarm. */
export const DELIVERIES_PURGED_AT_ONCE = 500;
export const DELIVERY_CHUNKS_PER_ALARM = 10;
/** Slices delivered and pages read in one alarm: an alarm may take 15 minutes, and a page 30 s. The next alarm continues. */
export const TRIGGER_STEPS_PER_ALARM_MAX = 20;
/** The longest stored error message of a mapping. */
export const DELIVERY_REASON_CHARS_MAX = 500;
/** The longest shown part of an invalid value that a mapping returned. */
export const SHOWN_CHARS_MAX = 80;
/** The same as a client's own. */
export const CORRELATION_CHARS_MAX = 200;
/** Deliveries that one replay request maps again. */
export const REPLAYED_AT_ONCE_MAX = 100;

/** If more deliveries are stuck than reported, the report is repeated after this. */
export const STUCK_TOLD_AGAIN_MS = 60 * 60_000;
/** Consecutive failed polls after which an operator is alerted. */
export const POLL_FAILURES_TOLD = 3;
/** A failed report is repeated after this. */
export const TELL_NEWS_AGAIN_MS = 5 * 60_000;

/** Maximum wait for one trigger object's state in a list. */
export const TRIGGER_STATE_MS = 5_000;

export const triggerLimits = {
  labelsMax: 20,
  labelCharsMax: 200,
  originsMax: 20,
  perMinuteMax: 6_000,
  triggerBytesMax: 64 * KIB,
  /** How long the old token or secret may stay valid. */
  overlapMsMax: 90 * DAY,
} as const;

export const triggerDefaults = {
  /** Deliveries per minute, and how many at once after an idle time. */
  perMinute: 600,
  burst: 100,
  overlapMs: DAY,
} as const;

/**
 * Callbacks of DocuSign that one address may send to one connection, and to all paths: before verification a path proves
 * nothing, so a rate of each path alone would not limit a client that makes paths up.
 */
export const CALLBACK_RATE = { perMinute: 600, burst: 100 } as const;
export const CALLBACK_SENDER_RATE = { perMinute: 6_000, burst: 1_000 } as const;

/** Event triggers per tenant; an event reaches those with its type. */
export const LISTENING_TRIGGERS_MAX = 100;
