// Whether lists would show anything else of a reconciler after a step: they know nothing of what is desired and observed.
import type { ExecutionState } from "#schema/engine/state.ts";
import { isSameJson } from "../../language/equality.ts";

const LISTED = ["status", "runs", "error", "reason", "finishedAt", "pausedAt", "correlationId", "variables"] as const;

/** Of all other kinds each change is listed. */
export function unprojected(before: ExecutionState, state: ExecutionState): boolean {
  if (before.reconciling === undefined || state.reconciling === undefined) return false;
  if (before.position.states[0] !== state.position.states[0]) return false;
  return LISTED.every((field) => isSameJson(before[field], state[field]));
}
