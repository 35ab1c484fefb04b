// Polling limits: what a poller reads, stores and waits for.

const KIB = 1024;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The longest interval of a poller. */
export const POLL_EVERY_MS_MAX = 31 * DAY;
/** The timeout of the request for one page. */
export const POLL_TIMEOUT_MS = 30_000;
/** The most pages of one poll cycle, so that an endless list stops. */
export const POLL_PAGES_MAX = 1_000;
/** The most items of one page. An answer has a megabyte at most, so a page with more items would be almost empty. */
export const POLL_ITEMS_PER_PAGE_MAX = 5_000;
/** The most items of a list that the poller reads completely in each cycle. The ids of all items are stored. */
export const POLL_LIST_ITEMS_MAX = 10_000;
/**
 * The number of the newest items that the first poll records as known. Enough of them still exist at the second poll.
 */
export const POLL_BASELINE_ITEMS = 1_000;
/** The most known ids. The ids that were not seen for the longest time are deleted first. */
export const POLL_SEEN_MAX = 2 * POLL_LIST_ITEMS_MAX;
/** The most items that are read but not delivered. At this number the poller reads no further page. */
export const POLL_BACKLOG_MAX = 5_000;
/** The largest size of the items that are read but not delivered. */
export const POLL_BACKLOG_BYTES_MAX = 64 * KIB * KIB;
/** The most items delivered in one call. */
export const POLL_RELEASED_AT_ONCE = 50;
/** The largest size of the items delivered in one call. */
export const POLL_RELEASED_BYTES = 4 * KIB * KIB;
/** An item id that is longer than this is stored as its digest. */
export const POLL_ID_CHARS_MAX = 180;
/** The longest address or cursor of the next page. */
export const POLL_CURSOR_CHARS_MAX = 2_000;
/** Waits after failed polls: the first, doubled with each failure, and the longest. */
export const POLL_BACKOFF_MS = { first: 30_000, most: 60 * MINUTE } as const;
/** The longest pause that a provider may request (Retry-After). */
export const POLL_RETRY_AFTER_MS_MAX = DAY;
/** The wait before a failed report of the poller is repeated, and before a changed setting is applied. */
export const POLL_AGAIN_MS = 6_000;
/** How often the poller of a suspended tenant checks whether the tenant was resumed. */
export const POLL_SUSPENDED_CHECK_MS = 5 * MINUTE;
/** The longest shown error message of a poll. */
export const POLL_REASON_CHARS_MAX = 500;
/** The shown part of a cursor. */
export const POLL_CURSOR_SHOWN_CHARS = 6;
