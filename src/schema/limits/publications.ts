// Publications: limits of their history, and of diffs between versions.

/** Per name; the oldest ones are deleted. The audit log still has the actor. */
export const PUBLICATIONS_KEPT = 1_000;
/** Later publications that may be reverted at once. */
export const TAKEN_BACK_MAX = 1_000;
/** Each lost race means that another request has published; after this many the request is refused. */
export const PUBLISH_TRIES_MAX = 5;
/** Matched list items: the product of both lengths; comparing content costs more. */
export const DIFF_CELLS_MAX = 250_000;
export const DIFF_ALIKE_CELLS_MAX = 10_000;
/** A diff shows old and new values up to this size; a version itself can be read whole. */
export const DIFF_VALUE_BYTES_MAX = 4 * 1024;
/** Message templates whose other version is compared. */
export const TEMPLATES_COMPARED_MAX = 20;
/** Live executions read per status, the newest first, to find the versions they run. */
export const LIVE_COUNTED_MAX = 10_000;
