// Ending executions: an execution that was canceled, has failed or took an exit. The only thing it may still wait for
// is the end of its children.
import type { OwnChild } from "#schema/engine/child.ts";
import type { ExecutionState, Position } from "#schema/engine/state.ts";

/** Whether the execution is ending: it only waits for its children, or its journey has taken an exit. */
export function isEnding({ ending, position }: Pick<ExecutionState, "ending" | "position">): boolean {
  return ending !== undefined || hasExited(position);
}

export function hasExited(position: Position): boolean {
  return position.kind === "journey" && position.exit !== undefined;
}

/** Whether the execution is ending, was canceled or has failed. */
export function isStopped(state: ExecutionState): boolean {
  return isEnding(state) || state.status === "canceled" || state.status === "failed";
}

/** The children whose end the execution waits for before it ends. */
export function awaitedChildren(state: ExecutionState): readonly OwnChild[] {
  return isStopped(state) ? (state.children ?? []).filter(({ stopping }) => stopping === undefined) : [];
}
