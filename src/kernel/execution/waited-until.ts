// Waiting times: how long before an unconfirmed message is sent again, and before a claimed run counts as lost.
import { RESEND_GAPS_MS, SETTLE_GRACE_MS } from "#schema/limits.ts";
import type { Run } from "#schema/engine/run.ts";
import { assert } from "../assert.ts";

/** `resends`: how often the message was resent before. */
export function resendGapMs(resends: number): number {
  return Number(RESEND_GAPS_MS[Math.min(resends, RESEND_GAPS_MS.length - 1)]); // the index is in range
}

export function resendAt({ id, sentAt, resends }: Run): number {
  assert(sentAt !== null, `run ${id} is queued and has a time of sending`);
  return sentAt + resendGapMs(resends);
}

export function overdueAt({ id, deadlineAt }: Run): number {
  assert(deadlineAt !== null, `run ${id} is in flight and has a deadline`);
  return deadlineAt + SETTLE_GRACE_MS;
}
