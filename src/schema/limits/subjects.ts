// What is kept of one subject, beyond the executions it was in.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A subject's key is part of its object's name, and of an address. */
export const SUBJECT_KEY_CHARS_MAX = 200;
/** Journeys, by name, that one subject's object remembers. */
export const SUBJECT_JOURNEYS_MAX = 200;
/** Of each journey its latest enrolments. */
export const ENROLMENTS_KEPT = 20;
/** Of one subject. */
export const SUBJECT_CAPS_MAX = 100;
/** The instants of a cap stand in one row. */
export const CAP_MAX = 1_000;
export const CAP_PER_MS_MIN = 1_000;
export const CAP_PER_MS_MAX = 366 * DAY_MS;
/** The longest day that a change of the clocks makes, and a little more. */
export const CAP_DAY_KEPT_MS = 27 * 60 * MINUTE_MS;

/** Whoever was admitted has so long to begin: after it its execution takes no start under that admission. */
export const ADMITTED_MS = 30_000;
/** And clocks may differ by so much: only then does anybody believe that it has not begun. */
export const ADMITTED_GRACE_MS = 30_000;
/** Of one list of subjects to be enrolled. */
export const ENROLMENT_LINES_MAX = 100_000;
export const ENROLMENT_PARTS_MAX = 1_000;
export const ENROLMENT_PART_LINES_MAX = 1_000;
/** A part is a row, of at most 2 MB. */
export const ENROLMENT_PART_BYTES_MAX = 1024 * 1024;
export const ENROLMENT_BYTES_MAX = 128 * 1024 * 1024;
/** Lines that travel in one call to the Worker. */
export const ENROLMENT_SLICE_BYTES_MAX = 4 * 1024 * 1024;
/** A list that nobody starts is let go of. */
export const ENROLMENT_OPEN_MS_MAX = 7 * DAY_MS;
/** A dry run looks at so many lines, spread over all of them. */
export const ENROLMENT_SAMPLE_MAX = 100;
/** Of why a line was not enrolled. */
export const TROUBLE_CHARS_MAX = 500;

/** Rows that are changed at a time where a subject is forgotten. */
export const SUBJECT_ROWS_FORGOTTEN = 500;
/** Enrolments that one start asks after, one after the other, before it gives up for now. */
export const DOUBTS_PER_START_MAX = 5;
