// Polling: what pollers read, store and wait for.

const KIB = 1024;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A poller with a longer interval would be forgotten by its operators. */
export const POLL_EVERY_MS_MAX = 31 * DAY;
/** Timeout of one page. */
export const POLL_TIMEOUT_MS = 30_000;
/** Pages of one cycle, so that an endless list stops. */
export const POLL_PAGES_MAX = 1_000;
/** Items of one page: an answer has a megabyte, so more would be almost empty. */
export const POLL_ITEMS_PER_PAGE_MAX = 5_000;
/** Items of a list that is read completely in each cycle: all of their ids must be stored. */
export const POLL_LIST_ITEMS_MAX = 10_000;
/** Newest first, the items recorded at the first poll: enough that some of them still exist at the second. */
export const POLL_BASELINE_ITEMS = 1_000;
/** Known ids; those that did not occur for longest are deleted first. */
export const POLL_SEEN_MAX = 2 * POLL_LIST_ITEMS_MAX;
/** Items that are read and not delivered yet; at this number no further page is read. */
export const POLL_BACKLOG_MAX = 5_000;
/** The maximum size of all items that wait to become deliveries. */
export const POLL_BACKLOG_BYTES_MAX = 64 * KIB * KIB;
/** Items delivered in one call: at most this many, or this many bytes. */
export const POLL_RELEASED_AT_ONCE = 50;
export const POLL_RELEASED_BYTES = 4 * KIB * KIB;
/** Longer ids are stored as their digest. */
export const POLL_ID_CHARS_MAX = 180;
/** The longest address or cursor of the next page. */
export const POLL_CURSOR_CHARS_MAX = 2_000;
/** The wait after the first failure, doubled with each; and the longest. */
export const POLL_BACKOFF_MS = { first: 30_000, most: 60 * MINUTE } as const;
/** The longest pause that a provider may request (Retry-After). */
export const POLL_RETRY_AFTER_MS_MAX = DAY;
/** A report that failed, or a changed setting, is repeated after this. */
export const POLL_AGAIN_MS = 6_000;
/** How often the poller of a suspended tenant checks whether it was resumed. */
export const POLL_OFF_MS = 5 * MINUTE;
/** The longest shown error message. */
export const POLL_REASON_CHARS_MAX = 500;
/** The shown part of a cursor. */
export const POLL_CURSOR_SHOWN_CHARS = 6;
