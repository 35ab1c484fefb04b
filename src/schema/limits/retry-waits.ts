// Retry limits: how many attempts an action has, and how long the engine waits between them.

/** The most attempts of a run that a retry policy may allow. */
export const ATTEMPTS_MAX = 100;
/** The most rules of a retry policy. */
export const RETRY_RULES_MAX = 20;
/** The longest exponential wait. Without this limit a wait could end after the last valid instant. */
export const RETRY_BACKOFF_MS_MAX = 365 * 24 * 60 * 60_000;
/** The longest wait that a provider may request (Retry-After). If a provider requests more, an operator decides. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/**
 * The largest random addition to a wait that a provider requested. It spreads the retries of runs that wait for the
 * same time.
 */
export const JITTER_ADDED_MS = 500;
/** The shortest hold of a run. After a shorter hold the run would most likely be held again immediately. */
export const HOLD_MS_MIN = 20;
/** The longest hold of a run. A hold whose end is unknown is checked every day. */
export const HOLD_MS_MAX = 24 * 60 * 60_000;
/** Gaps after which a queued run that was never claimed is sent again. */
export const RESEND_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** The most outbox messages of one execution that one delivery handles. Further messages follow in the next delivery. */
export const OUTBOX_MESSAGES_PER_DELIVERY_MAX = 20;
