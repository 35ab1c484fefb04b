// Idempotency limits: receipts of requests with a key, dedup windows of actions, and stored responses.
const HOUR_MS = 60 * 60_000;

/** How long an execution's receipt detects a repeated request, however many requests follow. */
export const RECEIPT_KEPT_MS = 24 * HOUR_MS;
/** The most receipts that an execution stores in full: the latest ones. */
export const RECEIPTS_MAX = 200;
/** The most digests of older receipts, of twelve bytes each. They are a part of every row that the execution writes. */
export const OLDER_RECEIPTS_MAX = 10_000;
/** Digests are deleted in groups that cover this time, because each group stores one instant. */
export const RECEIPT_GROUP_MS = HOUR_MS;
/** The shortest and the longest window in which calls with the same dedup key mean the same action. */
export const DEDUP_WINDOW_MS_MIN = 1_000;
export const DEDUP_WINDOW_MS_MAX = 30 * 24 * HOUR_MS;
/** The latest actions compared under a dedup key. Several, because Workers' clocks differ and ids are only nearly in order. */
export const DEDUP_LATEST_MAX = 8;
/** A response reserved for this long belongs to a lost request. The next request with the key replaces the reservation. */
export const RESPONSE_RESERVED_MS = 60_000;
/** How long a response is stored by its Idempotency-Key. */
export const RESPONSES_KEPT_MS = 24 * HOUR_MS;
