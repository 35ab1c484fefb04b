// Catalog outages during an attempt: no provider was called. This is not the action's failure, so the run is held and
// keeps its attempt, however long D1 is away. A bug of ours is different: it fails the attempt, so that operators see
// it after the last one.
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { TROUBLE_BACK_AFTER_MS } from "#schema/limits/outgoing-calls.ts";
import { isOurMistake } from "./catalog-failure.ts";

const CODE = "catalog_unavailable";
/** Also an isolate whose memory is full of other messages' files: the run is retried after they were sent. */
const HELD = new Set([CODE, "files_busy"]);

/** The result of a lookup that threw. `message` names what cannot be done for now. */
export function catalogOutage(cause: unknown, message: string): ActionError {
  if (isOurMistake(cause)) return engineMistake(cause, message);
  return { type: "service_unavailable", message, retryable: true, code: CODE };
}

/**
 * Retried as often as the policy allows, because a deploy may fix it. The original message may contain confidential
 * data.
 */
export function engineMistake(cause: unknown, what: string): ActionError {
  const kind = cause instanceof Error ? cause.name : "exception";
  const message = `an internal error of the engine (${kind}; see the log): ${what}`;
  return { type: "unknown_error", message, retryable: true, code: "engine_mistake" };
}

export function heldForCatalog(outcome: Outcome, now: number): Outcome {
  if (outcome.ok || !HELD.has(outcome.error.code ?? "")) return outcome;
  return { ...outcome, held: { reason: "unavailable", until: now + TROUBLE_BACK_AFTER_MS, connection: null } };
}
