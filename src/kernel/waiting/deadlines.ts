// Deadlines: when an unconfirmed message is sent again, when a claimed attempt counts as lost, and when a dead letter
// is archived.
import { DEAD_LETTER_KEPT_MS, RESEND_GAPS_MS, SETTLE_GRACE_MS } from "#schema/limits/run-attempts.ts";
import type { OutboxMessage } from "#schema/engine/outbox.ts";
import { waitsForPerson, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { assert } from "../assert.ts";

/** The time before a message is sent again. `resends`: how often it was sent again so far. */
export function resendGapMs(resends: number): number {
  return Number(RESEND_GAPS_MS[Math.min(resends, RESEND_GAPS_MS.length - 1)]); // The index is at most that of the last item, so the value exists.
}

export function resendAt({ id, sentAt, resends }: Run): number {
  assert(sentAt !== null, `the queued run ${id} must have the instant at which it was sent`);
  return sentAt + resendGapMs(resends);
}

export function overdueAt({ id, deadlineAt }: Run): number {
  assert(deadlineAt !== null, `the run ${id} in progress must have a deadline`);
  return deadlineAt + SETTLE_GRACE_MS;
}

export function sentAgainAt({ sentAt, tries }: OutboxMessage): number {
  return sentAt + resendGapMs(tries - 1);
}

/**
 * The dead letters that will be archived because no operator decides in time. In an ended execution, handled dead
 * letters do not expire, because they are deleted with its history.
 */
export function expiringDeadLetters({ runs, status }: Pick<ExecutionState, "runs" | "status">): readonly Run[] {
  return runs.filter(isFinalStatus(status) ? waitsForPerson : ({ deadLetter }) => deadLetter);
}

/** The instant at which the dead letter is archived, unless an operator has decided about it. */
export function deadLetterUntil({ finishedAt }: Pick<Run, "finishedAt">): number {
  return Number(finishedAt) + DEAD_LETTER_KEPT_MS; // The run of a dead letter has ended, so this field is not null.
}
