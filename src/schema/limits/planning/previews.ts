// Preview limits: the calendar of expected actions of many subjects. All rows are sorted at the end, so all of them are
// in memory at the same time.
const KIB = 1024;

/** The most subjects of a preview. */
export const PREVIEW_SUBJECTS_MAX = 10_000;
/** The most expected actions of all subjects together. Each row takes a few hundred bytes of the isolate's 128 MB. */
export const PREVIEW_ROWS_MAX = 100_000;
/** The largest shown config of one row. */
export const PREVIEW_CONFIG_BYTES_MAX = 16 * KIB;
/** The total size of the shown configs of all rows. */
export const PREVIEW_CONTENTS_BYTES_MAX = 4 * KIB * KIB;
/** The most subjects that are listed because their execution does not complete. */
export const PREVIEW_ENDS_MAX = 500;
/** How many characters are written to the client at a time. */
export const PREVIEW_CHUNK_CHARS = 64 * KIB;
