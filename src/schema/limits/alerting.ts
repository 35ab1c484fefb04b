// When failures raise alerts, and what an alert shows.

/** A failure older than this raises no alert; the keys that keep alerts from being sent twice are kept for a day. */
export const ALERT_FRESH_MS = 12 * 60 * 60_000;
export const ALERT_THROTTLE_MS_MIN = 1_000;
/** Alike failures late in such a stretch, told late, still find the key of the first one. */
export const ALERT_THROTTLE_MS_MAX = 12 * 60 * 60_000;
/** A tenant whose cells or catalog do not answer must not hold up everybody's rows. */
export const ALERT_RAISE_MS = 10_000;

/** So many failures are shown one by one; the rest is counted. */
export const ALERT_FAILURES_SHOWN = 10;
export const ALERT_ERROR_CHARS_MAX = 500;
/** Of the name of whom a journey is about. */
export const ALERT_CLIENT_CHARS_MAX = 100;
/** A subject's own limit is about a thousand; people read the beginning. */
export const ALERT_SUBJECT_CHARS_MAX = 200;
