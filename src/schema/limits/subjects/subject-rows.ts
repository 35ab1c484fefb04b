// Subject limits: what the object of one subject stores. The subject's executions are stored elsewhere.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest key of a subject. The key is part of an object's name, and of URLs. */
export const SUBJECT_KEY_CHARS_MAX = 200;
/** The most journeys that one subject's object stores. Versions of the same definition count as one journey. */
export const SUBJECT_JOURNEYS_MAX = 200;
/** How many enrolments of each journey are stored: the latest ones. */
export const ENROLMENTS_KEPT = 20;
/** The most caps that one subject's object stores. */
export const SUBJECT_CAPS_MAX = 100;
/**
 * The largest number of actions that a cap may allow in its window. One row stores the instants of all these actions.
 */
export const CAP_MAX = 1_000;
/** The shortest and the longest window of a cap. */
export const CAP_PER_MS_MIN = 1_000;
export const CAP_PER_MS_MAX = 366 * DAY_MS;
/** How long the actions of a daily cap are stored: for the longest day with a clock change, and some hours more. */
export const CAP_DAY_KEPT_MS = 27 * 60 * MINUTE_MS;

/** How long the admission of a start is valid. After this time the execution refuses the start. */
export const ADMISSION_MS = 30_000;
/**
 * The largest difference between the clocks of two machines. If no execution has started this long after the end of an
 * admission's validity, the admission expires.
 */
export const ADMISSION_GRACE_MS = 30_000;
/**
 * The most earlier enrolments whose executions one start checks. If there are more, the start is refused, and the
 * client may repeat it.
 */
export const ENROLMENTS_CHECKED_PER_START_MAX = 5;
/** How many rows are changed at a time when a subject is erased. */
export const SUBJECT_ROWS_ERASED = 500;
