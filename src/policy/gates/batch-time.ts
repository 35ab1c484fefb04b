// The time budget of a queue batch: decides which messages can still be processed. When the time of a batch is over,
// the platform ends its consumer without notice.
import { BATCH_BEGINS_MS, BATCH_MS_MAX, SETTLE_RETRY_MS } from "#schema/limits/queues/consumers.ts";
import { SETTLE_GRACE_MS, SLOW_ABOVE_MS } from "#schema/limits/run-attempts.ts";

/**
 * Returns whether further messages of the batch are started. If not, they are requeued, because another consumer starts
 * them sooner.
 */
export function mayStartMessages(startedAt: number, now: number): boolean {
  return now < startedAt + BATCH_BEGINS_MS;
}

/**
 * Returns whether an attempt may be claimed. Even if the attempt uses its whole timeout, enough time must be left to
 * settle it.
 */
export function fitsBatch(startedAt: number, now: number, timeoutMs = SLOW_ABOVE_MS): boolean {
  return now + timeoutMs + SETTLE_GRACE_MS <= startedAt + BATCH_MS_MAX;
}

/**
 * Returns the delay after which a settlement without a response is sent again. null if the attempt's deadline has
 * passed. `tries`: how often it was sent.
 */
export function settleRetryMs(tries: number, now: number, deadlineAt: number): number | null {
  const waitMs = Math.min(SETTLE_RETRY_MS.most, SETTLE_RETRY_MS.first * 2 ** (tries - 1));
  const leftMs = deadlineAt + SETTLE_GRACE_MS - now;
  return leftMs > 0 ? Math.min(waitMs, leftMs) : null;
}
