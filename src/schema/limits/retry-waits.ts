// Retry limits: how many attempts an action has, and how long the engine waits between them.

/** The most attempts of a run that a retry policy may allow. */
export const ATTEMPTS_MAX = 100;
/** The most rules of a retry policy. */
export const RETRY_RULES_MAX = 20;
/** The longest exponential wait. Without it, waits would exceed the calendar. */
export const RETRY_BACKOFF_MS_MAX = 365 * 24 * 60 * 60_000;
/** The longest wait that a provider may request (Retry-After). After a longer wait an operator decides. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/** The largest random addition to a wait that a provider requested: it spreads concurrent retries. */
export const JITTER_ADDED_MS = 500;
/** The shortest hold of a run. A shorter hold would repeat at once. */
export const HOLD_MS_MIN = 20;
/** The longest hold of a run. A hold without an end is checked again every day. */
export const HOLD_MS_MAX = 24 * 60 * 60_000;
/** Gaps after which a queued run that was never claimed is sent again. */
export const RESEND_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** The most outbox messages of one execution that one delivery handles. Further messages follow in the next delivery. */
export const OUTBOX_MESSAGES_PER_DELIVERY_MAX = 20;
