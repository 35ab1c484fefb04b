// Outcome constructors: build the success and the failure that a runner returns.
import type { JsonObject } from "#schema/json.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Failure } from "./classify.ts";

type Success = Extract<Outcome, { ok: true }>;
type Span = { readonly startedAt: number; readonly endedAt: number };

export function successOutcome(
  success: Pick<Success, "result" | "events" | "tasks">,
  span: Span,
  metadata?: JsonObject,
): Outcome {
  const outcome: Outcome = { ok: true, ...success, ...span };
  return metadata === undefined ? outcome : { ...outcome, metadata };
}

export function failureOutcome(failure: Failure, span: Span, metadata?: JsonObject): Outcome {
  const { error, retryAfterMs } = failure;
  const outcome: Outcome =
    retryAfterMs === undefined ? { ok: false, error, ...span } : { ok: false, error, retryAfterMs, ...span };
  return metadata === undefined ? outcome : { ...outcome, metadata };
}
