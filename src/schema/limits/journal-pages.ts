// Journal limits: the pages in which an execution's journal is stored and read.
const KIB = 1024;

/** A page of the journal is closed at this size. */
export const JOURNAL_PAGE_BYTES = 16 * KIB;
/** A page of the journal is closed at this number of entries. */
export const JOURNAL_PAGE_ENTRIES_MAX = 100;
/**
 * The largest journal row, because the platform limits a row to 2 MB. The entries of a long step are split into several
 * pages.
 */
export const JOURNAL_ROW_BYTES_MAX = 1_000_000;
/** The largest size of the values that a condition read, as stored in its journal entry. */
export const JOURNALED_VALUES_BYTES_MAX = 2 * 1024;
/** The longest time zone of a rule that a journal entry shows. */
export const ZONE_SHOWN_CHARS_MAX = 100;
/** The most pages of a reconciler's journal. Older pages are deleted, because a reconciler may run for years. */
export const RECONCILER_PAGES_KEPT = 500;
/** The most journal pages that are read to find the states that a machine has left. A page has a hundred entries. */
export const LEFT_STATES_PAGES_MAX = 10;
/** The most journal pages that one request searches for attempts. A cursor continues the search. */
export const HISTORY_PAGES_MAX = 10;
