// Alert limits: alert channels, when a failure raises an alert, and what an alert contains.

/** The most namespaces or definitions in the filter of an alert channel. */
export const ALERT_FILTER_MAX = 50;
/** The largest alert channel as JSON. */
export const ALERT_CHANNEL_BYTES_MAX = 16 * 1024;
/** The oldest failure that still raises an alert. */
export const ALERT_FRESH_MS = 12 * 60 * 60_000;
/** The shortest and the longest period in which equal failures raise only one alert in a channel. */
export const ALERT_THROTTLE_MS_MIN = 1_000;
export const ALERT_THROTTLE_MS_MAX = 12 * 60 * 60_000;
/** How long raising the alerts of one tenant may take. The rows of other tenants wait meanwhile. */
export const ALERT_RAISE_MS = 10_000;
/** The most failures that an alert lists. Further failures are only counted. */
export const ALERT_FAILURES_SHOWN = 10;
/** The longest error message in an alert. */
export const ALERT_ERROR_CHARS_MAX = 500;
/** The longest shown name of a journey's client. */
export const ALERT_CLIENT_CHARS_MAX = 100;
/**
 * The longest subject line of an alert e-mail. The protocol allows about a thousand characters, but people read only
 * the beginning.
 */
export const ALERT_SUBJECT_CHARS_MAX = 200;
