// Suspension limits: how often a cell checks whether its tenant is suspended.

/** How long a cell uses the cached suspension of its tenant. */
export const SUSPENSION_CACHED_MS = 5_000;
/**
 * How long a cell uses the result "active" of another cell in its isolate. Many timers of a tenant are due at the same
 * time.
 */
export const SUSPENSION_SHARED_MS = 1_000;
/**
 * A cell with due work of a suspended tenant checks the suspension again after its duration so far divided by this
 * number.
 */
export const SUSPENDED_CHECK_DIVISOR = 4;
/** The shortest and the longest wait between two checks of a suspended tenant. */
export const SUSPENDED_CHECK_MS_MIN = 60_000;
export const SUSPENDED_CHECK_MS_MAX = 60 * 60_000;
