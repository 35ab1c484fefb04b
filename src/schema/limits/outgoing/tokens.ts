// Access token limits: renewal of tokens, and accounts whose credentials the provider rejects.

/**
 * An access token is not used in this last part of its lifetime, because a call needs time to arrive. If a tenth of the
 * lifetime is less, that applies.
 */
export const TOKEN_EARLY_MS = 60_000;
/**
 * If a provider refuses a token within this time after its renewal, another renewal would not help. The token is then
 * not the cause.
 */
export const TOKEN_RENEWED_MS = 60_000;
/** The longest access token. Headers have little more space, and tokens are stored. */
export const TOKEN_CHARS_MAX = 16 * 1024;
/** A token with a longer lifetime counts as a token without expiry. */
export const TOKEN_LIFE_MS_MAX = 30 * 24 * 60 * 60_000;
/**
 * The lifetime of a signed assertion. It is short, because the assertion is sent immediately and some providers refuse
 * longer lifetimes.
 */
export const ASSERTION_LIFE_MS = 5 * 60_000;
/** How long after the last token has expired the token cache of a config is deleted. */
export const TOKEN_CACHE_IDLE_MS = 24 * 60 * 60_000;
/**
 * How long a refresh token is stored if it is not used. If a rotated refresh token is lost, it cannot be obtained
 * again.
 */
export const REFRESH_TOKEN_KEPT_MS = 400 * 24 * 60 * 60_000;
/**
 * How long the failure of a renewal is cached, so that waiting callers share it. A provider may request a longer time.
 */
export const TOKEN_FAILURE_MS = 2_000;
export const TOKEN_FAILURE_MS_MAX = 60_000;

/**
 * The shortest and the longest wait between checks of an account with rejected credentials. The wait doubles after each
 * check.
 */
export const REJECTED_ACCOUNT_CHECK_MS_MIN = 60_000;
export const REJECTED_ACCOUNT_CHECK_MS_MAX = 30 * 60_000;
/** The gap between runs that continue after the credentials of their account work again. */
export const ACCOUNT_RESUME_GAP_MS = 20;
/** The longest time over which the runs of an account continue. */
export const ACCOUNT_RESUME_SPREAD_MS_MAX = 10 * 60_000;
/** How long the runs of a rejected account are held. Then they fail, and lists show them as dead letters. */
export const REJECTED_ACCOUNT_HOLD_MS = 7 * 24 * 60 * 60_000;
/** How long after a failed report about a rejected account the report to the catalog is repeated. */
export const REJECTED_ACCOUNT_REPORT_RETRY_MS = 30_000;
