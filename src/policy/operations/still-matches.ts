// Checks again, in the execution's own turn, whether it still matches an operation's filter, because the catalog may be
// outdated.
import { isInState } from "#kernel/execution/tasks/open-tasks.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { RecheckedFilter } from "#schema/engine/execution-command.ts";

type Standing = Pick<ExecutionState, "status" | "position">;

export function stillMatches({ status, state }: RecheckedFilter, now: Standing): boolean {
  return (status === undefined || status === now.status) && (state === undefined || isInState(now.position, state));
}
