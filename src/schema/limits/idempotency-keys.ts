// Idempotency limits: receipts of requests with a key, dedup windows of actions, and stored responses.
const HOUR_MS = 60 * 60_000;

/** How long an execution's receipt detects a repeat of the request. */
export const RECEIPT_KEPT_MS = 24 * HOUR_MS;
/** The most receipts that an execution stores in full: the latest ones. */
export const RECEIPTS_MAX = 200;
/** The most digests of older receipts, twelve bytes each. Every row that the execution writes contains all of them. */
export const OLDER_RECEIPTS_MAX = 10_000;
/** Digests are deleted in groups that cover this time, because each group stores one instant. */
export const RECEIPT_GROUP_MS = HOUR_MS;
/** The shortest and the longest window in which a dedup key identifies the same action. */
export const DEDUP_WINDOW_MS_MIN = 1_000;
export const DEDUP_WINDOW_MS_MAX = 30 * 24 * HOUR_MS;
/**
 * The number of latest actions that are compared for a dedup key. One is not enough: Workers' clocks differ, so ids are
 * only nearly in order.
 */
export const DEDUP_LATEST_MAX = 8;
/**
 * If no response is stored this long after its reservation, the request was lost. The next request with the key
 * replaces the reservation.
 */
export const RESPONSE_RESERVED_MS = 60_000;
/** How long a response is stored by its Idempotency-Key. */
export const RESPONSES_KEPT_MS = 24 * HOUR_MS;
