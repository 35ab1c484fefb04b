// Publication limits: the history of a definition's published versions, and diffs between versions.

/** The number of publications stored per name. Older publications are deleted; the audit log still has their actors. */
export const PUBLICATIONS_KEPT = 1_000;
/** The most later publications that one rollback reverts. */
export const PUBLICATIONS_REVERTED_MAX = 1_000;
/** A publish request is refused after other publish requests of the same name were faster this many times. */
export const PUBLISH_TRIES_MAX = 5;
/** A request for a new version is refused after other requests took its version number this many times. */
export const VERSION_TRIES_MAX = 20;
/** The largest product of both lists' lengths up to which a diff matches their items by position. */
export const DIFF_CELLS_MAX = 250_000;
/** The largest product of both lists' lengths up to which a diff matches their items by content, which costs more. */
export const DIFF_ALIKE_CELLS_MAX = 10_000;
/** The largest old or new value that a diff shows. A client can read a longer value from the version itself. */
export const DIFF_VALUE_BYTES_MAX = 4 * 1024;
/** The most message templates of which a diff compares the other version. */
export const TEMPLATES_COMPARED_MAX = 20;
/** To find the versions in use, at most this many live executions are read per status, the newest ones. */
export const LIVE_COUNTED_MAX = 10_000;
