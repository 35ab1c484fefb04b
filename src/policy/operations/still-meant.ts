// A recheck of each execution: lists may be outdated, so its turn first checks whether it still matches.
import { isInState } from "#kernel/execution/tasks/tasks.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { StillMeant } from "#schema/engine/steering.ts";

type Standing = Pick<ExecutionState, "status" | "position">;

export function isStillMeant({ status, state }: StillMeant, now: Standing): boolean {
  return (status === undefined || status === now.status) && (state === undefined || isInState(now.position, state));
}
