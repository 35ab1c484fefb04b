// What is kept and shown of the publications of definitions, and of what two versions differ in.

/** Of each name; the oldest ones go. Who did what stays in the audit log. */
export const PUBLICATIONS_KEPT = 1_000;
/** So many versions that were published later may be taken back at once. */
export const TAKEN_BACK_MAX = 1_000;
/** Each lost race means that somebody else has published; this many in a row are no race any more. */
export const PUBLISH_TRIES_MAX = 5;
/** Items of one list times those of the other that are matched by what they say; to tell whether two are alike costs more. */
export const DIFF_CELLS_MAX = 250_000;
export const DIFF_ALIKE_CELLS_MAX = 10_000;
/** A difference shows what was and what is up to this size; a version is read whole elsewhere. */
export const DIFF_VALUE_BYTES_MAX = 4 * 1024;
/** Of so many message templates it says what another version of them says. */
export const TEMPLATES_COMPARED_MAX = 20;
/** Of each status the newest so many live executions of a tenant are looked through, to say which versions they run. */
export const LIVE_COUNTED_MAX = 10_000;
