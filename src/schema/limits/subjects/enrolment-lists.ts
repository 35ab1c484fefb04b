// Enrolment limits: lists of subjects for which an operation starts a journey.
const DAY_MS = 24 * 60 * 60_000;

/** The most lines of a list. */
export const ENROLMENT_LINES_MAX = 100_000;
/** The most parts in which a list may be uploaded. */
export const ENROLMENT_PARTS_MAX = 1_000;
/** The most lines of one part. */
export const ENROLMENT_PART_LINES_MAX = 1_000;
/** The largest part, in bytes. It is stored in one row of at most 2 MB. */
export const ENROLMENT_PART_BYTES_MAX = 1024 * 1024;
/** The largest list. */
export const ENROLMENT_BYTES_MAX = 128 * 1024 * 1024;
/** The largest total size of the lines that the operation's object sends to the Worker in one call. */
export const ENROLMENT_SLICE_BYTES_MAX = 4 * 1024 * 1024;
/** How long a list may stay open. If it is not started within this time, it is deleted. */
export const ENROLMENT_OPEN_MS_MAX = 7 * DAY_MS;
/** How many lines a dry run checks. They are spread over the whole list. */
export const ENROLMENT_SAMPLE_MAX = 100;
/** The most characters of the reason why a line was not enrolled. */
export const ENROLMENT_FAILURE_CHARS_MAX = 500;
