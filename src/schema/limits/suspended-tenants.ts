// Suspension limits: how often a cell checks whether its tenant is suspended.

/** How long a cell uses the cached answer whether its tenant is suspended. */
export const SUSPENSION_CACHED_MS = 5_000;
/**
 * How long a cell uses the answer "active" that another cell of its isolate got. Many timers of a tenant are due at the
 * same time, so many cells ask.
 */
export const SUSPENSION_SHARED_MS = 1_000;
/**
 * A cell with due work of a suspended tenant checks again after a wait. The wait is the duration of the suspension so
 * far, divided by this number.
 */
export const SUSPENDED_CHECK_DIVISOR = 4;
/** The shortest and the longest wait between two checks of a suspended tenant. */
export const SUSPENDED_CHECK_MS_MIN = 60_000;
export const SUSPENDED_CHECK_MS_MAX = 60 * 60_000;
