// Polling limits: what a poller reads, stores and waits for.

const KIB = 1024;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The longest interval of a poller. */
export const POLL_EVERY_MS_MAX = 31 * DAY;
/** The timeout of a request for one page. */
export const POLL_TIMEOUT_MS = 30_000;
/** The most pages of one poll cycle. The limit ends the cycle even if the list is endless. */
export const POLL_PAGES_MAX = 1_000;
/**
 * The most items of one page. An answer has at most a megabyte, so with more items each of them would be almost empty.
 */
export const POLL_ITEMS_PER_PAGE_MAX = 5_000;
/** The most items of a list that is read completely in each cycle. The poller stores the ids of all of them. */
export const POLL_LIST_ITEMS_MAX = 10_000;
/**
 * How many of the newest items the first poll records as known. That is enough to recognize old items at the second
 * poll.
 */
export const POLL_BASELINE_ITEMS = 1_000;
/** The most ids of known items that are stored. Those that were not seen for the longest time are deleted first. */
export const POLL_SEEN_MAX = 2 * POLL_LIST_ITEMS_MAX;
/** The most items that are read but not delivered. If there are that many, the poller requests no further page. */
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
/** The wait after a failed poll: the first one, and the longest one. It doubles with each failure. */
export const POLL_BACKOFF_MS = { first: 30_000, most: 60 * MINUTE } as const;
/** The longest pause that a provider may request (Retry-After). */
export const POLL_RETRY_AFTER_MS_MAX = DAY;
/** How long a poller waits before it repeats a failed report, or applies a changed setting. */
export const POLL_AGAIN_MS = 6_000;
/** How often the poller of a suspended tenant checks whether the tenant was resumed. */
export const POLL_SUSPENDED_CHECK_MS = 5 * MINUTE;
/** The longest shown error message of a poll. */
export const POLL_REASON_CHARS_MAX = 500;
/** The shown part of a cursor. */
export const POLL_CURSOR_SHOWN_CHARS = 6;
