// Wait names: short names of what an execution waits for, which lists of executions can filter by.
import { WAIT_NAMES_MAX } from "#schema/limits/executions.ts";
import { isReserved } from "#schema/engine/event.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { waitsOf, type ExecutionWait, type RunWait } from "./waits.ts";

/**
 * Returns the names of the waits, each once. `accepts`: the event types that the execution accepts; null if they are
 * unknown. Empty after the end.
 */
export function waitNames(state: ExecutionState, now: number, accepts: readonly string[] | null): readonly string[] {
  if (isFinalStatus(state.status)) return [];
  const names = waitsOf(state, now, accepts).flatMap(namesOf);
  return [...new Set(names)].slice(0, WAIT_NAMES_MAX);
}

function namesOf(wait: ExecutionWait): readonly string[] {
  switch (wait.for) {
    case "resume":
    case "task":
    case "child":
    case "place":
      return [wait.for];
    case "timer":
      return [wait.until === null ? "variable" : "timer"];
    case "person":
      return ["decision"];
    case "run":
      return [runName(wait)];
    case "event":
      return (wait.types ?? []).filter((type) => !isReserved(type)).map((type) => `event:${type}`);
    case "archive":
    case "tick":
    case "watch":
    case "collector":
    case "message":
    case "lists":
      return [];
  }
}

function runName({ stage, run }: RunWait): string {
  if (stage === "held") return "release";
  if (stage === "variable" || stage === "retry") return stage;
  const connection = run.status === "scheduled" ? (run.held?.connection ?? null) : null;
  if (connection !== null) return `connection:${connection}`;
  return stage === "time" ? "timer" : "action";
}
