// Limits of suppression lists: the sizes of addresses and requests.

/** The longest e-mail address (RFC 5321). */
export const SUPPRESSED_EMAIL_CHARS_MAX = 254;
/** The longest token or endpoint of a push message, as in the config of a push action. */
export const SUPPRESSED_TOKEN_CHARS_MAX = 4_096;
