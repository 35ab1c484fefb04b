// Access token limits: renewal of tokens, and accounts whose credentials the provider rejects.

/**
 * An access token is not used in the last minute of its lifetime, or in the last tenth of a shorter lifetime. A call
 * with the token needs time to arrive.
 */
export const TOKEN_EARLY_MS = 60_000;
/**
 * If a token is refused within this time after its renewal, the token is not the cause, so another renewal would not
 * help.
 */
export const TOKEN_RENEWED_MS = 60_000;
/** The longest access token. Headers have little more space, and the token is stored. */
export const TOKEN_CHARS_MAX = 16 * 1024;
/** A token with a longer lifetime counts as a token without expiry. */
export const TOKEN_LIFE_MS_MAX = 30 * 24 * 60 * 60_000;
/** The lifetime of a signed assertion. The engine sends it immediately, and some providers refuse longer lifetimes. */
export const ASSERTION_LIFE_MS = 5 * 60_000;
/** The token cache of a config is deleted this long after its last token has expired. */
export const TOKEN_CACHE_IDLE_MS = 24 * 60 * 60_000;
/** How long a refresh token is kept without use. A rotated refresh token cannot be obtained again. */
export const REFRESH_TOKEN_KEPT_MS = 400 * 24 * 60 * 60_000;
/**
 * How long a failed renewal is cached, so that the waiting callers share the failure. A provider may request a longer
 * time.
 */
export const TOKEN_FAILURE_MS = 2_000;
export const TOKEN_FAILURE_MS_MAX = 60_000;

/**
 * The shortest and the longest wait between checks of an account with rejected credentials. The wait doubles after each
 * check.
 */
export const REJECTED_ACCOUNT_CHECK_MS_MIN = 60_000;
export const REJECTED_ACCOUNT_CHECK_MS_MAX = 30 * 60_000;
/** The gap between runs that resume after their account's credentials work again. */
export const ACCOUNT_RESUME_GAP_MS = 20;
/** The longest time over which the runs of an account resume. */
export const ACCOUNT_RESUME_SPREAD_MS_MAX = 10 * 60_000;
/**
 * How long the runs of a rejected account are held. After this time the runs fail, so that they are listed as dead
 * letters.
 */
export const REJECTED_ACCOUNT_HOLD_MS = 7 * 24 * 60 * 60_000;
/** A failed report of a rejected account to the catalog is repeated after this time. */
export const REJECTED_ACCOUNT_REPORT_RETRY_MS = 30_000;
