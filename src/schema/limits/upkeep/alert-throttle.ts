// Alert limits: alert channels, when a failure raises an alert, and the content of an alert.

/** The most namespaces or definitions in the filter of an alert channel. */
export const ALERT_FILTER_MAX = 50;
/** The largest alert channel as JSON. */
export const ALERT_CHANNEL_BYTES_MAX = 16 * 1024;
/** A failure that is older than this raises no alert. */
export const ALERT_FRESH_MS = 12 * 60 * 60_000;
/** The shortest and the longest period in which an alert channel gets one alert for the same failure. */
export const ALERT_THROTTLE_MS_MIN = 1_000;
export const ALERT_THROTTLE_MS_MAX = 12 * 60 * 60_000;
/** The longest time for raising the alerts of one tenant. The rows of other tenants wait meanwhile. */
export const ALERT_RAISE_MS = 10_000;
/** The most failures that an alert shows individually. The rest is counted. */
export const ALERT_FAILURES_SHOWN = 10;
/** The longest error message in an alert. */
export const ALERT_ERROR_CHARS_MAX = 500;
/** The longest shown name of a journey's client. */
export const ALERT_CLIENT_CHARS_MAX = 100;
/** The longest subject line of an alert e-mail. The protocol's limit is about a thousand, but people read the beginning. */
export const ALERT_SUBJECT_CHARS_MAX = 200;
