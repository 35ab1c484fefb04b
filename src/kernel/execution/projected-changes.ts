// Projected changes: whether lists would show a difference after a step. Without a difference no projection is sent,
// which saves a message and the rows that the catalog would write.
import type { ExecutionState } from "#schema/engine/state.ts";
import { isSameJson } from "../language/json-values.ts";

const LISTED = ["status", "runs", "error", "reason", "finishedAt", "pausedAt", "correlationId", "variables"] as const;

export function isProjectionUnchanged(before: ExecutionState, state: ExecutionState): boolean {
  if (!isAfterEnd(before, state) && !isReconcilerInState(before, state)) return false;
  return LISTED.every((field) => isSameJson(before[field], state[field]));
}

/**
 * True if the execution had ended before this step, and the step only received confirmations, which lists do not show.
 * False at the end of the retention, so that the last projection before the deletion is still sent.
 */
function isAfterEnd(before: ExecutionState, { position, retainUntil, updatedAt }: ExecutionState): boolean {
  if (before.finishedAt === null || before.retainUntil !== retainUntil || Number(retainUntil) <= updatedAt)
    return false;
  return isSameJson(before.position, position);
}

/** True for a reconciler that stays in its state. Lists do not show its desired and observed state. */
function isReconcilerInState(before: ExecutionState, { position, reconciling }: ExecutionState): boolean {
  if (before.reconciling === undefined || reconciling === undefined) return false;
  return before.position.states[0] === position.states[0];
}
