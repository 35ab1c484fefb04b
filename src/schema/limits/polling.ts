// What pollers read, keep and wait for.

const KIB = 1024;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What asks less often than once a month is forgotten by the people who set it up. */
export const POLL_EVERY_MS_MAX = 31 * DAY;
/** One page has so long to come. */
export const POLL_TIMEOUT_MS = 30_000;
/** Pages that one alarm reads; whatever wants more goes on with the next. */
export const POLL_PAGES_PER_ALARM = 5;
/** Pages of one round. A list without an end would otherwise be read for ever. */
export const POLL_PAGES_MAX = 1_000;
/** Items of one page: an answer has a megabyte, so more would be next to nothing each. */
export const POLL_ITEMS_PER_PAGE_MAX = 5_000;
/** Items of a list that is read from its first page to its last each time: all of their ids have to be known. */
export const POLL_LIST_ITEMS_MAX = 10_000;
/** Newest first, so many items are taken note of at the first poll: enough that some of them are still there at the second. */
export const POLL_BASELINE_ITEMS = 1_000;
/** Ids that are known again; those that nobody has met for longest go first. */
export const POLL_SEEN_MAX = 2 * POLL_LIST_ITEMS_MAX;
/** Items that are read and not delivered yet; while there are so many no further page is read. */
export const POLL_BACKLOG_MAX = 5_000;
/** Their bytes. */
export const POLL_BACKLOG_BYTES_MAX = 64 * KIB * KIB;
/** Items that are made deliveries with one call: so many, or so many bytes of them. */
export const POLL_RELEASED_AT_ONCE = 50;
export const POLL_RELEASED_BYTES = 4 * KIB * KIB;
/** Longer ids are kept as their digest. */
export const POLL_ID_CHARS_MAX = 180;
/** Of an address or a cursor that leads to the next page. */
export const POLL_CURSOR_CHARS_MAX = 2_000;
/** After the first failure, doubled with each; and the longest. */
export const POLL_BACKOFF_MS = { first: 30_000, most: 60 * MINUTE } as const;
/** A provider may ask for quiet (Retry-After) for so long. */
export const POLL_RETRY_AFTER_MS_MAX = DAY;
/** Should the object go down with a page on its way, it wakes again after this. */
export const POLL_GUARD_MS = POLL_TIMEOUT_MS + 15_000;
/** What cannot be told just now, or has been told differently, is asked again after this. */
export const POLL_AGAIN_MS = 6_000;
/** Whether a tenant that is suspended may go on is looked at so often. */
export const POLL_OFF_MS = 5 * MINUTE;
/** Of what went wrong, as people are shown it. */
export const POLL_REASON_CHARS_MAX = 500;
/** Of a cursor, as people are shown it. */
export const POLL_CURSOR_SHOWN_CHARS = 6;
