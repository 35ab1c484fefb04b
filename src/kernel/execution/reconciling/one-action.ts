// A reconciler has at most one action in progress: a second one is refused instead of queued.
import { refuse } from "#schema/refusal.ts";
import type { Refused } from "../control.ts";
import type { Step } from "../current-step.ts";
import { actionInFlight } from "./action-status.ts";

export function refuseBusy({ state }: Step): Refused {
  const flying = state.reconciling && actionInFlight(state);
  if (!flying) return null;
  const message = `action queue full, worker blocked by: ${flying.action}`;
  const hint = "The next action starts after the current one has ended; to drop the action, cancel the execution.";
  return refuse({ code: "action_queue_full", message, hint, details: { run: flying.id, action: flying.action } });
}
