// Subject limits: what the object of one subject stores, beyond the subject's executions.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest key of a subject. The key is part of an object's name, and of URLs. */
export const SUBJECT_KEY_CHARS_MAX = 200;
/** The most journeys, by name, that one subject's object stores. */
export const SUBJECT_JOURNEYS_MAX = 200;
/** The number of enrolments stored per journey: the latest ones. */
export const ENROLMENTS_KEPT = 20;
/** The most caps of one subject. */
export const SUBJECT_CAPS_MAX = 100;
/**
 * The largest number of actions that a cap allows in its window. The instants of all these actions are stored in one
 * row.
 */
export const CAP_MAX = 1_000;
/** The shortest and the longest window of a cap. */
export const CAP_PER_MS_MIN = 1_000;
export const CAP_PER_MS_MAX = 366 * DAY_MS;
/** How long the actions of a daily cap are stored: the longest day with a clock change, and some hours more. */
export const CAP_DAY_KEPT_MS = 27 * 60 * MINUTE_MS;

/** How long the admission of a start is valid: the execution refuses a later start. */
export const ADMISSION_MS = 30_000;
/**
 * The largest difference between clocks. An admission expires this long after its validity if no execution has started.
 */
export const ADMISSION_GRACE_MS = 30_000;
/**
 * The most earlier enrolments whose executions one start checks. If there are more, the start is refused and can be
 * repeated.
 */
export const ENROLMENTS_CHECKED_PER_START_MAX = 5;
/** The number of rows changed at a time when a subject is erased. */
export const SUBJECT_ROWS_ERASED = 500;
