// Deadlines: when an unconfirmed message is sent again, when a claimed attempt counts as lost, and when a dead letter
// is archived.
import { DEAD_LETTER_KEPT_MS, RESEND_GAPS_MS, SETTLE_GRACE_MS } from "#schema/limits/run-attempts.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
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
 * letters do not expire, because they are deleted with its history. In a paused journey they expire after its resume.
 */
export function expiringDeadLetters(state: DecisionState & Pick<ExecutionState, "runs">): readonly Run[] {
  const isOpenOnly = isFinalStatus(state.status) || waitsForDecision(state);
  return state.runs.filter(isOpenOnly ? waitsForPerson : ({ deadLetter }) => deadLetter);
}

type DecisionState = Pick<ExecutionState, "status" | "reason" | "position">;

/** The reason of a pause by a permanently failed action. */
export const ACTION_FAILED = "action_failed";

/**
 * Whether a failed action has paused the journey, which then waits until an operator decides about its dead letters. If
 * no operator decides in time, the journey fails.
 */
export function waitsForDecision({ status, reason, position }: DecisionState): boolean {
  return status === "paused" && reason === ACTION_FAILED && position.kind === "journey";
}

/** The error of a journey that fails because no operator has decided about the dead letter of a node. */
export function notDecidedError(node: string): ActionError {
  const days = DEAD_LETTER_KEPT_MS / DAY_MS;
  const message = `${node} failed, and no operator decided about its dead letter within ${days} days`;
  return { type: NOT_DECIDED, message, retryable: false };
}

const DAY_MS = 24 * 60 * 60_000;
export const NOT_DECIDED = "not_decided";

/** The instant at which the dead letter is archived, unless an operator has decided about it. */
export function deadLetterUntil({ finishedAt }: Pick<Run, "finishedAt">): number {
  return Number(finishedAt) + DEAD_LETTER_KEPT_MS; // The run of a dead letter has ended, so this field is not null.
}
