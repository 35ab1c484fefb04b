// The catalog did not answer, so nobody outside was called. That is the engine's trouble and not the action's: the run
// waits and comes back with the attempt it had, however long D1 is away.
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";

const CODE = "catalog_unavailable";
/** D1's bad moments last seconds; more often than this nobody needs to ask. */
const BACK_AFTER_MS = 15_000;

export function catalogTrouble(message: string): ActionError {
  return { type: "service_unavailable", message, retryable: true, code: CODE };
}

export function heldForCatalog(outcome: Outcome, now: number): Outcome {
  if (outcome.ok || outcome.error.code !== CODE) return outcome;
  return { ...outcome, held: { reason: "unavailable", until: now + BACK_AFTER_MS, connection: null } };
}
