// The catalog did not answer, so nobody outside was called. That is the engine's trouble and not the action's: the run
// waits and comes back with the attempt it had, however long D1 is away. A mistake of ours is no such trouble: it fails
// the attempt, so that after the last one somebody hears of it.
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { TROUBLE_BACK_AFTER_MS } from "#schema/limits/outgoing-calls.ts";
import { isOurMistake } from "./catalog-failure.ts";

const CODE = "catalog_unavailable";
/** So is an isolate that other messages' files fill: the run comes back when they have gone out. */
const HELD = new Set([CODE, "files_busy"]);

/** What a look-up came to that threw. `message` says what cannot be done just now. */
export function catalogTrouble(cause: unknown, message: string): ActionError {
  if (isOurMistake(cause)) return engineMistake(cause, message);
  return { type: "service_unavailable", message, retryable: true, code: CODE };
}

/** Tried again as often as the policy says: a deploy may mend it. What it said may quote what nobody should see. */
export function engineMistake(cause: unknown, what: string): ActionError {
  const kind = cause instanceof Error ? cause.name : "exception";
  const message = `a mistake of the engine's own (${kind}; the log has it): ${what}`;
  return { type: "unknown_error", message, retryable: true, code: "engine_mistake" };
}

export function heldForCatalog(outcome: Outcome, now: number): Outcome {
  if (outcome.ok || !HELD.has(outcome.error.code ?? "")) return outcome;
  return { ...outcome, held: { reason: "unavailable", until: now + TROUBLE_BACK_AFTER_MS, connection: null } };
}
