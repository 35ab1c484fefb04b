// The time budget of a queue batch: decides which messages still fit. The platform ends the consumer without notice
// when its time is over.
import { BATCH_BEGINS_MS, BATCH_MS_MAX, SETTLE_RETRY_MS } from "#schema/limits/queues/consumers.ts";
import { SETTLE_GRACE_MS, SLOW_ABOVE_MS } from "#schema/limits/run-attempts.ts";

/**
 * Returns whether new messages are still started. Later the rest of the batch is requeued, because another consumer
 * starts it sooner.
 */
export function mayStartMessages(startedAt: number, now: number): boolean {
  return now < startedAt + BATCH_BEGINS_MS;
}

/** Returns whether an attempt may be claimed: even if it uses its whole timeout, time must be left to settle it. */
export function fitsBatch(startedAt: number, now: number, timeoutMs = SLOW_ABOVE_MS): boolean {
  return now + timeoutMs + SETTLE_GRACE_MS <= startedAt + BATCH_MS_MAX;
}

/**
 * Returns the delay before an unanswered settlement is repeated; null after the attempt's deadline. `tries`: the number
 * of tries so far.
 */
export function settleRetryMs(tries: number, now: number, deadlineAt: number): number | null {
  const waitMs = Math.min(SETTLE_RETRY_MS.most, SETTLE_RETRY_MS.first * 2 ** (tries - 1));
  const leftMs = deadlineAt + SETTLE_GRACE_MS - now;
  return leftMs > 0 ? Math.min(waitMs, leftMs) : null;
}
