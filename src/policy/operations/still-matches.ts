// Checks, inside the execution's object, whether the execution still matches an operation's filter. The catalog from
// which its id was read may be outdated.
import { isInState } from "#kernel/execution/tasks/open-tasks.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { RecheckedFilter } from "#schema/engine/execution-command.ts";

type Standing = Pick<ExecutionState, "status" | "position">;

export function stillMatches({ status, state }: RecheckedFilter, now: Standing): boolean {
  return (status === undefined || status === now.status) && (state === undefined || isInState(now.position, state));
}
