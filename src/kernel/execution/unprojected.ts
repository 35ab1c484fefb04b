// Whether lists would show anything else of an execution after a step. What they would not is not told: it would be a message
// and rows of the catalog for nothing.
import type { ExecutionState } from "#schema/engine/state.ts";
import { isSameJson } from "../language/json-values.ts";

const LISTED = ["status", "runs", "error", "reason", "finishedAt", "pausedAt", "correlationId", "variables"] as const;

export function unprojected(before: ExecutionState, state: ExecutionState): boolean {
  if (!isOver(before, state) && !staysInItsState(before, state)) return false;
  return LISTED.every((field) => isSameJson(before[field], state[field]));
}

/**
 * That somebody has heard of its end, and how often they were told, is in no list. Before its history goes it is told once more:
 * nobody could do so later.
 */
function isOver(before: ExecutionState, { position, retainUntil, updatedAt }: ExecutionState): boolean {
  if (before.finishedAt === null || before.retainUntil !== retainUntil || Number(retainUntil) <= updatedAt)
    return false;
  return isSameJson(before.position, position);
}

/** Of a reconciler lists know nothing of what is desired and observed. */
function staysInItsState(before: ExecutionState, { position, reconciling }: ExecutionState): boolean {
  if (before.reconciling === undefined || reconciling === undefined) return false;
  return before.position.states[0] === position.states[0];
}
