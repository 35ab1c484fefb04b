// Subjects: what is stored of one subject, beyond its executions.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A subject's key is part of its object's name, and of an address. */
export const SUBJECT_KEY_CHARS_MAX = 200;
/** Journeys, by name, that one subject's object stores. */
export const SUBJECT_JOURNEYS_MAX = 200;
/** The latest enrolments per journey. */
export const ENROLMENTS_KEPT = 20;
/** The maximum of caps of one subject. */
export const SUBJECT_CAPS_MAX = 100;
/** The instants of a cap are stored in one row. */
export const CAP_MAX = 1_000;
export const CAP_PER_MS_MIN = 1_000;
export const CAP_PER_MS_MAX = 366 * DAY_MS;
/** The longest day with a clock change, and a little more. */
export const CAP_DAY_KEPT_MS = 27 * 60 * MINUTE_MS;

/** How long an admission is valid: its execution refuses a later start. */
export const ADMITTED_MS = 30_000;
/** The largest difference between clocks. An admission without a start expires only after its validity and this time. */
export const ADMITTED_GRACE_MS = 30_000;
/** The maximum of lines in one list of subjects to be enrolled. */
export const ENROLMENT_LINES_MAX = 100_000;
export const ENROLMENT_PARTS_MAX = 1_000;
export const ENROLMENT_PART_LINES_MAX = 1_000;
/** A part is a row, of at most 2 MB. */
export const ENROLMENT_PART_BYTES_MAX = 1024 * 1024;
export const ENROLMENT_BYTES_MAX = 128 * 1024 * 1024;
/** Lines sent in one call to the Worker. */
export const ENROLMENT_SLICE_BYTES_MAX = 4 * 1024 * 1024;
/** A list that is never started is deleted after this. */
export const ENROLMENT_OPEN_MS_MAX = 7 * DAY_MS;
/** A dry run checks this many lines, spread over all of them. */
export const ENROLMENT_SAMPLE_MAX = 100;
/** The longest reason why a line was not enrolled. */
export const TROUBLE_CHARS_MAX = 500;

/** Rows changed at a time when a subject is erased. */
export const SUBJECT_ROWS_FORGOTTEN = 500;
/** Enrolments that one start checks, one after the other, before it is refused for now. */
export const DOUBTS_PER_START_MAX = 5;
