// A run's result, on its way to the program as an event like any other.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Turn } from "./current-step.ts";

/** The source that events of runs carry. */
export const RUN_SOURCE = "action_runner";

export function announce(
  turn: Turn,
  run: Run,
  what: "ok" | "failed" | "skipped" | "archived",
  payload: JsonObject,
): void {
  emit(turn, run, `action.${run.action}.${what}`, { run: run.id, actionId: run.action, ...payload });
}

export function emit(turn: Turn, run: Run, type: string, payload: Json): void {
  const id = `${turn.state.id}/${run.id}/${type}`;
  const { correlationId } = turn.state;
  turn.pending.push({ message: { id, type, payload, source: RUN_SOURCE, correlationId }, origin: "run" });
}
