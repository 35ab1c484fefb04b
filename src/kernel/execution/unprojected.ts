// Projected changes: whether lists would show a difference after a step. Otherwise no projection is sent, which saves a
// message and catalog rows.
import type { ExecutionState } from "#schema/engine/state.ts";
import { isSameJson } from "../language/json-values.ts";

const LISTED = ["status", "runs", "error", "reason", "finishedAt", "pausedAt", "correlationId", "variables"] as const;

export function isProjectionUnchanged(before: ExecutionState, state: ExecutionState): boolean {
  if (!isOver(before, state) && !staysInItsState(before, state)) return false;
  return LISTED.every((field) => isSameJson(before[field], state[field]));
}

/** Confirmations of its end are in no list. Before its history is deleted it is projected a last time. */
function isOver(before: ExecutionState, { position, retainUntil, updatedAt }: ExecutionState): boolean {
  if (before.finishedAt === null || before.retainUntil !== retainUntil || Number(retainUntil) <= updatedAt)
    return false;
  return isSameJson(before.position, position);
}

/** Lists do not show a reconciler's desired and observed state. */
function staysInItsState(before: ExecutionState, { position, reconciling }: ExecutionState): boolean {
  if (before.reconciling === undefined || reconciling === undefined) return false;
  return before.position.states[0] === position.states[0];
}
