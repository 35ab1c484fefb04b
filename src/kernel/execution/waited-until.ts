// How long whoever has a run is waited for: one that was sent off to be claimed, one that was claimed to be settled.
import { RESEND_GAPS_MS, SETTLE_GRACE_MS } from "#schema/limits.ts";
import type { Run } from "#schema/engine/run.ts";
import { assert } from "../assert.ts";

export function resendAt({ id, sentAt, resends }: Run): number {
  assert(sentAt !== null, `run ${id} is queued and knows when it was sent`);
  return sentAt + Number(RESEND_GAPS_MS[Math.min(resends, RESEND_GAPS_MS.length - 1)]); // the index is in range
}

export function overdueAt({ id, deadlineAt }: Run): number {
  assert(deadlineAt !== null, `run ${id} is in flight and has a deadline`);
  return deadlineAt + SETTLE_GRACE_MS;
}
