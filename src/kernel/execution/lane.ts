// How a run travels: handed over by the object itself, or through the queue.
import { defaults } from "#schema/defaults.ts";
import type { ActionDefinition, Lane } from "#schema/definition/action.ts";
import { DIRECT_TIMEOUT_MS_MAX } from "#schema/limits.ts";
import { SLOW_ABOVE_MS } from "#schema/limits/queues.ts";
import type { Attempt } from "#schema/engine/run.ts";
import type { Step } from "./current-step.ts";
import { isInDoubt } from "./doubt.ts";

/**
 * Direct: no queue hop. Queue: back-pressure, long actions, and what comes after an attempt that nobody has answered: it may
 * have been our own doing.
 */
export function laneFor(step: Step, action: ActionDefinition, attempts: readonly Attempt[]): "direct" | "queue" {
  const wanted: Lane = action.lane ?? step.program.definition.lane ?? "auto";
  if (step.room <= 0 || wanted === "queue") return "queue";
  const last = attempts.at(-1);
  const isLost = last !== undefined && isInDoubt(last);
  const isShort = timeoutOf(action) <= DIRECT_TIMEOUT_MS_MAX;
  return wanted === "direct" || (isShort && !isLost) ? "direct" : "queue";
}

export function timeoutOf({ timeout }: ActionDefinition): number {
  return timeout ?? defaults.timeoutMs;
}

/** What a message says of a slow action, and only of one: it travels by a queue of its own, and holds up no short one. */
export function slowness(action: ActionDefinition): { readonly timeoutMs?: number } {
  const timeoutMs = timeoutOf(action);
  return timeoutMs > SLOW_ABOVE_MS ? { timeoutMs } : {};
}
