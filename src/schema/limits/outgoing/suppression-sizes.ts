// Limits of suppression lists: the sizes of addresses and requests.

/** The longest e-mail address (RFC 5321). */
export const SUPPRESSED_EMAIL_CHARS_MAX = 254;
/** The longest token or endpoint of a push message, as in the config of a push action. */
export const SUPPRESSED_TOKEN_CHARS_MAX = 4_096;
/** The time limit of one lookup before an attempt. After this time the run is held. */
export const SUPPRESSION_LOOKUP_MS = 5_000;
/** The most addresses of one lookup. A larger group of lookups is split. */
export const SUPPRESSION_LOOKUP_KEYS_MAX = 1_000;
/** The most addresses that one request adds. */
export const SUPPRESSIONS_PER_REQUEST_MAX = 1_000;
/** The most recipients of a run by which lists find it. Each costs one row of the catalog. */
export const RECIPIENTS_LISTED_MAX = 20;
