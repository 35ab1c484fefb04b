// Lists may be late: whether an execution is still one of those that are meant is asked of itself, when its turn comes.
import { standsIn } from "#kernel/execution/tasks/asked.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { StillMeant } from "#schema/engine/steering.ts";

type Standing = Pick<ExecutionState, "status" | "position">;

export function isStillMeant({ status, state }: StillMeant, now: Standing): boolean {
  return (status === undefined || status === now.status) && (state === undefined || standsIn(now.position, state));
}
