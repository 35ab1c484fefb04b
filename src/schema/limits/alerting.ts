// Alerting: when failures raise alerts, and what an alert shows.

/** An older failure raises no alert; the keys that deduplicate alerts are kept for a day. */
export const ALERT_FRESH_MS = 12 * 60 * 60_000;
export const ALERT_THROTTLE_MS_MIN = 1_000;
/** A failure at the end of such a period, reported late, still finds the key of the first one. */
export const ALERT_THROTTLE_MS_MAX = 12 * 60 * 60_000;
/** A tenant whose cells or catalog do not answer must not delay other tenants' rows. */
export const ALERT_RAISE_MS = 10_000;

/** Failures shown individually; the rest is counted. */
export const ALERT_FAILURES_SHOWN = 10;
export const ALERT_ERROR_CHARS_MAX = 500;
/** The longest shown name of a journey's client. */
export const ALERT_CLIENT_CHARS_MAX = 100;
/** A subject's own limit is about a thousand; people read the beginning. */
export const ALERT_SUBJECT_CHARS_MAX = 200;
