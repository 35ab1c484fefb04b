// How a run travels: handed over by the object itself, or through the queue.
import { defaults } from "#schema/defaults.ts";
import type { ActionDefinition, Lane } from "#schema/definition/action.ts";
import { DIRECT_TIMEOUT_MS_MAX } from "#schema/limits.ts";
import { SLOW_ABOVE_MS } from "#schema/limits/queues.ts";
import type { Step } from "./current-step.ts";

/** Direct: no queue hop. Queue: back-pressure, long actions, and everything that has already gone wrong once. */
export function laneFor(step: Step, action: ActionDefinition, attempt: number): "direct" | "queue" {
  const wanted: Lane = action.lane ?? step.program.definition.lane ?? "auto";
  const short = timeoutOf(action) <= DIRECT_TIMEOUT_MS_MAX;
  if (step.room <= 0 || wanted === "queue") return "queue";
  return wanted === "direct" || (attempt === 1 && short) ? "direct" : "queue";
}

export function timeoutOf({ timeout }: ActionDefinition): number {
  return timeout ?? defaults.timeoutMs;
}

/** What a message says of a slow action, and only of one: it travels by a queue of its own, and holds up no short one. */
export function slowness(action: ActionDefinition): { readonly timeoutMs?: number } {
  const timeoutMs = timeoutOf(action);
  return timeoutMs > SLOW_ABOVE_MS ? { timeoutMs } : {};
}
