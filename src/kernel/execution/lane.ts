// How a run travels: handed over by the object itself, or through the queue.
import { defaults } from "#schema/defaults.ts";
import type { ActionDefinition, Lane } from "#schema/definition/action.ts";
import { DIRECT_TIMEOUT_MS_MAX } from "#schema/limits.ts";
import type { Step } from "./current-step.ts";

/** Direct: no queue hop. Queue: back-pressure, long actions, and everything that has already gone wrong once. */
export function laneFor(step: Step, action: ActionDefinition, attempt: number): "direct" | "queue" {
  const wanted: Lane = action.lane ?? step.program.definition.lane ?? "auto";
  const short = (action.timeout ?? defaults.timeoutMs) <= DIRECT_TIMEOUT_MS_MAX;
  if (step.room <= 0 || wanted === "queue") return "queue";
  return wanted === "direct" || (attempt === 1 && short) ? "direct" : "queue";
}
