// The lane of a run: called directly by the object, or sent through the queue.
import { defaults } from "#schema/defaults.ts";
import type { ActionDefinition, Lane } from "#schema/definition/action.ts";
import { DIRECT_TIMEOUT_MS_MAX } from "#schema/limits.ts";
import { SLOW_ABOVE_MS } from "#schema/limits/queues.ts";
import type { Attempt } from "#schema/engine/run.ts";
import type { Step } from "./current-step.ts";
import { isInDoubt } from "./doubt.ts";

/**
 * Direct: no queue hop. Queue: back-pressure, long actions, and attempts after one without a response, which the direct
 * lane itself may have caused.
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

/** Only for a slow action: its message uses a separate queue, so that it does not delay short ones. */
export function slowness(action: ActionDefinition): { readonly timeoutMs?: number } {
  const timeoutMs = timeoutOf(action);
  return timeoutMs > SLOW_ABOVE_MS ? { timeoutMs } : {};
}
