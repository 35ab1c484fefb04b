// Refusal statuses: the HTTP status and title of each refusal code, and the time after which the same request may
// succeed.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ProblemCode } from "#wire/problem.ts";

export type RefusalStatus = {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** Seconds after which the same request may succeed; absent if the same request can never succeed. */
  readonly retryAfterS?: number;
};

export function refusalStatus(code: ProblemCode): RefusalStatus {
  // An object with newer code than this Worker may return a code that is missing in this table.
  return refusalStatuses[code] ?? refusalStatuses.internal_error;
}

/** The rows are ordered by status. */
const refusalStatuses: { readonly [code in ProblemCode]: RefusalStatus } = {
  body_unreadable: { status: 400, title: "The body cannot be read" },
  invalid_input: { status: 400, title: "The request is not valid" },
  malformed_json: { status: 400, title: "The body is not JSON" },
  unauthenticated: { status: 401, title: "No valid key" },
  origin_not_allowed: { status: 403, title: "The origin is not allowed" },
  scope_missing: { status: 403, title: "The key lacks a scope" },
  tenant_suspended: { status: 403, title: "The tenant is suspended" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  action_queue_full: { status: 409, title: "An action is in progress" },
  already_enrolled: { status: 409, title: "The subject is or was in this journey" },
  already_exists: { status: 409, title: "The resource exists already" },
  in_use: { status: 409, title: "The resource is in use" },
  answer_lost: { status: 409, title: "The change was made, but its response is lost" },
  configuration_conflict: { status: 409, title: "The configuration has conflicts" },
  definition_archived: { status: 409, title: "The definition is archived" },
  definition_rolled_back: { status: 409, title: "The version was rolled back" },
  definition_unpublished: { status: 409, title: "The definition is not published" },
  delivery_not_replayable: { status: 409, title: "The delivery cannot be replayed" },
  event_not_accepted: { status: 409, title: "The event is not accepted now" },
  event_too_late: { status: 409, title: "The event comes too late" },
  execution_final: { status: 409, title: "The execution has ended" },
  execution_live: { status: 409, title: "The execution has not ended" },
  execution_not_paused: { status: 409, title: "The execution is not paused" },
  execution_paused: { status: 409, title: "The execution is paused" },
  nothing_to_publish: { status: 409, title: "There is no draft" },
  nothing_to_roll_back: { status: 409, title: "There is nothing to roll back" },
  operation_started: { status: 409, title: "The operation has begun" },
  operation_final: { status: 409, title: "The operation has ended" },
  rotation_in_progress: { status: 409, title: "A key rotation is in progress" },
  run_not_claimable: { status: 409, title: "The run cannot be claimed" },
  run_not_startable: { status: 409, title: "The run's status does not allow the request" },
  run_stale: { status: 409, title: "The run has a newer attempt" },
  state_changed: { status: 409, title: "The execution is in another state" },
  task_closed: { status: 409, title: "The task is closed" },
  verb_not_applicable: { status: 409, title: "The verb cannot be applied here" },
  trigger_closed: { status: 410, title: "The trigger is disabled or deleted" },
  precondition_failed: { status: 412, title: "A precondition is not met" },
  revision_mismatch: { status: 412, title: "The resource has changed" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The Content-Type is not supported" },
  action_invalid: { status: 422, title: "The action is not valid" },
  config_invalid: { status: 422, title: "The action's config is not valid" },
  definition_invalid: { status: 422, title: "The definition is not valid" },
  event_unknown: { status: 422, title: "The definition does not accept this event type" },
  idempotency_conflict: { status: 422, title: "The Idempotency-Key was used for another request" },
  limit_exceeded: { status: 422, title: "A limit is exceeded" },
  payload_invalid: { status: 422, title: "The payload does not match the input schema" },
  rule_too_costly: { status: 422, title: "The step exceeds its budget" },
  template_invalid: { status: 422, title: "The template is not valid" },
  variables_invalid: { status: 422, title: "The variables do not match the input schema" },
  upgrade_required: { status: 426, title: "A WebSocket is needed" },
  computations_full: { status: 429, title: "Too many computations are running", retryAfterS: 2 },
  deliveries_full: { status: 429, title: "Too many deliveries are waiting", retryAfterS: 300 },
  event_buffer_full: { status: 429, title: "Too many events are waiting", retryAfterS: 60 },
  quota_exceeded: { status: 429, title: "The tenant's quota is used up", retryAfterS: 60 },
  rate_limited: { status: 429, title: "The rate limit is exceeded", retryAfterS: 1 },
  receipts_full: { status: 429, title: "Too many keys and event ids are stored", retryAfterS: 3_600 },
  internal_error: { status: 500, title: "Internal error" },
  not_a_poller: { status: 409, title: "The trigger is not a poller" },
  not_configured: { status: 501, title: "The installation lacks configuration" },
  cell_full: { status: 503, title: "The storage shard is full", retryAfterS: 300 },
  execution_unreadable: { status: 503, title: "The execution is quarantined", retryAfterS: 60 },
  unavailable: { status: 503, title: "A part of the service is unavailable now", retryAfterS: 1 },
};
