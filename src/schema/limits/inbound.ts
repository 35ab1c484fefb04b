// What triggers take in, keep and hand over.

const KIB = 1024;
const DAY = 24 * 60 * 60_000;

/** A signed time may be so far from ours, either way: a recording is worth nothing afterwards. */
export const SIGNED_TIME_MS = 5 * 60_000;
/** Keys are compared so many at a time, real ones and others: how long it takes does not tell how many there are. */
export const HOOK_KEYS_COMPARED = 4;
/** A delivery's id is known again for so long. Everything kept of it goes at the end. */
export const DELIVERY_KEPT_MS = 7 * DAY;
/** A longer id of a delivery is kept as its digest. */
export const DELIVERY_ID_CHARS_MAX = 200;
/** So many deliveries one request may bring: SendGrid and CloudEvents send lists. */
export const DELIVERIES_PER_REQUEST_MAX = 1_000;
/** Bytes of one read of a body: it may come in chunks of one byte, and a small read costs as much as a large one. */
export const BODY_PIECE_BYTES = 64 * KIB;
/** Bytes that become text in one call: each is an argument. */
export const ENCODED_PIECE_BYTES = 8 * KIB;
/** Fields of one form. Senders of webhooks use some dozens; PHP and Django take as many by default. */
export const FORM_FIELDS_MAX = 1_000;
/** Requests of deliveries that did what they came for are kept of the latest so many: for people who look. */
export const REQUESTS_KEPT_MAX = 1_000;
/** A request as it is kept, with its headers: a row may have 2 MB, and has what it comes to besides. */
export const KEPT_REQUEST_BYTES_MAX = 1_500 * KIB;
/** All deliveries of a request as they are kept: each has the request's headers, and they travel to their object in one call. */
export const KEPT_REQUESTS_BYTES_MAX = 8 * KIB * KIB;
/** So many, and so many bytes of them, may wait for a mended mapping; then senders are asked to keep theirs. */
export const STUCK_DELIVERIES_MAX = 10_000;
export const STUCK_BYTES_MAX = 256 * KIB * KIB;
/** So many may be on their way to executions; then senders are asked to come later. */
export const PENDING_DELIVERIES_MAX = 10_000;
/** Room comes when a person has mended a mapping, or an outage is over. */
export const ROOM_RETRY_S = 300;
/** Rates are so many a minute. */
export const RATE_MS = 60_000;
/** A request's headers, as a mapping sees them. What is beyond is left out, as are what sign and what let in. */
export const HOOK_HEADERS_BYTES_MAX = 16 * KIB;
/** Deliveries read, or handed over, before other requests have their turn: each costs a millisecond or two. */
export const DELIVERIES_AT_ONCE = 25;
/** Should the object go down with a slice in its hands, it wakes again after this. */
export const HAND_OVER_GUARD_MS = 30_000;
/** After these gaps what could not be handed over is tried again; the last one goes on. */
export const HAND_OVER_GAPS_MS = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000] as const;
/** Longer than an outage; then a person decides. */
export const HAND_OVER_MS_MAX = DAY;
/** What has been kept long enough goes in such chunks, and so many of them in one alarm. */
export const DELIVERIES_PURGED_AT_ONCE = 500;
export const DELIVERY_CHUNKS_PER_ALARM = 10;
/** Slices handed over in one alarm; whatever wants more goes on with the next. */
export const HAND_OVERS_PER_ALARM = 80;
/** Of what was wrong with a mapping, as people are shown it. */
export const DELIVERY_REASON_CHARS_MAX = 500;
/** Of a value that a mapping came to and should not have. */
export const SHOWN_CHARS_MAX = 80;
/** As long as a caller's own may be. */
export const CORRELATION_CHARS_MAX = 200;
/** Deliveries that one request sends through the mended mapping. */
export const REPLAYED_AT_ONCE_MAX = 100;

/** Where more deliveries are stuck than were told, it is told again after this. */
export const STUCK_TOLD_AGAIN_MS = 60 * 60_000;
/** After so many polls in vain, one after the other, people hear of what only they can mend. */
export const POLL_FAILURES_TOLD = 3;
/** What could not be told is told again after this. */
export const TELL_NEWS_AGAIN_MS = 5 * 60_000;

/** Whoever looks at triggers is not kept waiting for one of their objects any longer. */
export const TRIGGER_STATE_MS = 5_000;

export const triggerLimits = {
  labelsMax: 20,
  labelCharsMax: 200,
  originsMax: 20,
  perMinuteMax: 6_000,
  triggerBytesMax: 64 * KIB,
  /** For how long the old token or secret may go on. */
  overlapMsMax: 90 * DAY,
} as const;

export const triggerDefaults = {
  /** Deliveries a minute, and how many at once after a quiet while. */
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

/** So many of a tenant's triggers hear events; an event reaches those that hear its type. */
export const LISTENING_TRIGGERS_MAX = 100;
