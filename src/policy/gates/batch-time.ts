// What fits into the time that a consumer has for a batch. The platform ends it without a word when that is over.
import { SETTLE_GRACE_MS } from "#schema/limits.ts";
import { BATCH_BEGINS_MS, BATCH_MS_MAX, SETTLE_AGAIN_MS, SLOW_ABOVE_MS } from "#schema/limits/queues.ts";

/** The rest of a batch goes back when this is over: somebody else begins it sooner. */
export function isBeginning(startedAt: number, now: number): boolean {
  return now < startedAt + BATCH_BEGINS_MS;
}

/** Whether an attempt may be claimed: even if it takes all of its time there is some left to settle it. */
export function fits(startedAt: number, now: number, timeoutMs = SLOW_ABOVE_MS): boolean {
  return now + timeoutMs + SETTLE_GRACE_MS <= startedAt + BATCH_MS_MAX;
}

/** When a settlement that nobody answered goes again; null: there is nobody left to wait for it. `tries` so far. */
export function settleAgainMs(tries: number, now: number, deadlineAt: number): number | null {
  const waitMs = Math.min(SETTLE_AGAIN_MS.most, SETTLE_AGAIN_MS.first * 2 ** (tries - 1));
  const leftMs = deadlineAt + SETTLE_GRACE_MS - now;
  return leftMs > 0 ? Math.min(waitMs, leftMs) : null;
}
