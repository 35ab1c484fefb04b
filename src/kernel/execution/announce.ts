// A run's result, on its way to the program as an event like any other.
import type { Json, JsonObject } from "#schema/json.ts";
import { plannedFor, type Run } from "#schema/engine/run.ts";
import type { Step } from "./current-step.ts";

/** The source that events of runs carry. */
export const RUN_SOURCE = "action_runner";

export function announce(
  step: Step,
  run: Run,
  what: "ok" | "failed" | "skipped" | "archived",
  payload: JsonObject,
): void {
  const { index } = run.given ?? {};
  const item = index === undefined ? {} : { index };
  emit(step, run, `action.${run.action}.${what}`, { run: run.id, actionId: run.action, ...item, ...payload });
}

export function emit(step: Step, run: Run, type: string, payload: Json): void {
  const id = `${step.state.id}/${run.id}/${type}`;
  const { correlationId } = step.state;
  const message = { id, type, payload, source: RUN_SOURCE, correlationId };
  step.pending.push({ message, origin: "run", planned: plannedFor(run) ?? step.now });
}
