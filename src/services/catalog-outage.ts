// Catalog outages during an attempt: while D1 does not answer, the run is held and keeps its attempt, because no
// provider was called. A bug of the engine fails the attempt instead. So after the last attempt operators see a dead
// letter.
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { ENGINE_FAULT_HOLD_MS } from "#schema/limits/outgoing/connection-limits.ts";
import { isEngineBug } from "./catalog-failure.ts";

const CATALOG_UNAVAILABLE = "catalog_unavailable";
/**
 * The error codes that hold a run. `files_busy`: files of other messages fill the isolate's memory, so the run is
 * retried after those messages were sent.
 */
const HOLDING_CODES = new Set([CATALOG_UNAVAILABLE, "files_busy"]);

/**
 * Returns the error of a run whose catalog lookup threw `cause`. `message` says what the engine cannot do while the
 * catalog does not answer.
 */
export function catalogOutage(cause: unknown, message: string): ActionError {
  if (isEngineBug(cause)) return engineBugError(cause, message);
  return { type: "service_unavailable", message, retryable: true, code: CATALOG_UNAVAILABLE };
}

/**
 * Returns the error for a bug of the engine. It is retryable, because a deploy may fix the bug. The text of `cause` is
 * left out, because it may contain confidential data.
 */
export function engineBugError(cause: unknown, context: string): ActionError {
  const kind = cause instanceof Error ? cause.name : "exception";
  const message = `an internal error of the engine (${kind}; see the log): ${context}`;
  return { type: "unknown_error", message, retryable: true, code: "engine_mistake" };
}

export function heldForCatalog(outcome: Outcome, now: number): Outcome {
  if (outcome.ok || !HOLDING_CODES.has(outcome.error.code ?? "")) return outcome;
  return { ...outcome, held: { reason: "unavailable", until: now + ENGINE_FAULT_HOLD_MS, connection: null } };
}
