// The catalog did not answer, so nobody outside was called. That is the engine's trouble and not the action's: the run
// waits and comes back with the attempt it had, however long D1 is away.
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { TROUBLE_BACK_AFTER_MS } from "#schema/limits/outgoing-calls.ts";

const CODE = "catalog_unavailable";

export function catalogTrouble(message: string): ActionError {
  return { type: "service_unavailable", message, retryable: true, code: CODE };
}

export function heldForCatalog(outcome: Outcome, now: number): Outcome {
  if (outcome.ok || outcome.error.code !== CODE) return outcome;
  return { ...outcome, held: { reason: "unavailable", until: now + TROUBLE_BACK_AFTER_MS, connection: null } };
}
