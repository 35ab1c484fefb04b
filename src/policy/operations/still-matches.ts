// Checks again, in the execution's own turn, whether it still matches an operation's filter, because the catalog may be
// outdated.
import { isInState } from "#kernel/execution/tasks/tasks.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { StillMeant } from "#schema/engine/steering.ts";

type Standing = Pick<ExecutionState, "status" | "position">;

export function stillMatches({ status, state }: StillMeant, now: Standing): boolean {
  return (status === undefined || status === now.status) && (state === undefined || isInState(now.position, state));
}
