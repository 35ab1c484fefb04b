// Publication limits: the history of a definition's published versions, and diffs between versions.

/** The number of publications stored per name. The oldest are deleted, and the audit log still has their actors. */
export const PUBLICATIONS_KEPT = 1_000;
/** The most later publications that one rollback reverts. */
export const PUBLICATIONS_REVERTED_MAX = 1_000;
/** A publish request is refused after it lost this many races against other publish requests. */
export const PUBLISH_TRIES_MAX = 5;
/** A request for a new version is refused after it lost this many races for the version number. */
export const VERSION_TRIES_MAX = 20;
/** The most list items that a diff matches by position: the product of both lengths. */
export const DIFF_CELLS_MAX = 250_000;
/** The most list items that a diff matches by content, which costs more: the product of both lengths. */
export const DIFF_ALIKE_CELLS_MAX = 10_000;
/** The largest old or new value that a diff shows. A version itself can be read whole. */
export const DIFF_VALUE_BYTES_MAX = 4 * 1024;
/** The most message templates of which a diff compares the other version. */
export const TEMPLATES_COMPARED_MAX = 20;
/** The most live executions read per status to find the versions in use: the newest ones. */
export const LIVE_COUNTED_MAX = 10_000;
