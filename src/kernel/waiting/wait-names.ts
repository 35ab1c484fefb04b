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

/** The waits whose kind is their name. Waits that are neither here nor below are internal, and have no name. */
const NAMED_BY_KIND: ReadonlySet<ExecutionWait["for"]> = new Set<ExecutionWait["for"]>([
  "resume",
  "task",
  "child",
  "place",
]);

function namesOf(wait: ExecutionWait): readonly string[] {
  if (NAMED_BY_KIND.has(wait.for)) return [wait.for];
  if (wait.for === "timer") return [wait.until === null ? "variable" : "timer"];
  if (wait.for === "person") return ["decision"];
  if (wait.for === "run") return [runName(wait)];
  if (wait.for !== "event" || wait.types === null) return [];
  return wait.types.filter((type) => !isReserved(type)).map((type) => `event:${type}`);
}

function runName({ stage, run }: RunWait): string {
  if (stage === "held") return "release";
  if (stage === "variable" || stage === "retry") return stage;
  const connection = run.status === "scheduled" ? (run.held?.connection ?? null) : null;
  if (connection !== null) return `connection:${connection}`;
  return stage === "time" ? "timer" : "action";
}
