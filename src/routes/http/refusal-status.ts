// Which status of HTTP a refusal has, by its code, and when the same request may succeed.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ProblemCode } from "#wire/problem.ts";

export type Meaning = {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** Set where the same request may succeed later. */
  readonly retryAfterS?: number;
};

export function meaningOf(code: ProblemCode): Meaning {
  // An object that is newer than this Worker may refuse with a code that is not known here.
  return meanings[code] ?? meanings.internal_error;
}

/** In the order of statuses. */
const meanings: { readonly [code in ProblemCode]: Meaning } = {
  body_unreadable: { status: 400, title: "The body cannot be read" },
  invalid_input: { status: 400, title: "The request is not valid" },
  malformed_json: { status: 400, title: "The body is not JSON" },
  unauthenticated: { status: 401, title: "No valid key" },
  origin_not_allowed: { status: 403, title: "The page's origin is not allowed" },
  scope_missing: { status: 403, title: "The key lacks a scope" },
  tenant_suspended: { status: 403, title: "The tenant is suspended" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  action_queue_full: { status: 409, title: "An action is under way" },
  already_enrolled: { status: 409, title: "The subject is in it already, or has been" },
  already_exists: { status: 409, title: "It exists already" },
  answer_lost: { status: 409, title: "The change was made, and its answer is lost" },
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
  operation_begun: { status: 409, title: "The operation has begun" },
  operation_final: { status: 409, title: "The operation has ended" },
  rotation_under_way: { status: 409, title: "A rotation is under way" },
  run_not_claimable: { status: 409, title: "The run cannot be claimed" },
  run_not_startable: { status: 409, title: "The run cannot be started now" },
  run_stale: { status: 409, title: "The run has moved on" },
  state_changed: { status: 409, title: "It stands elsewhere by now" },
  task_closed: { status: 409, title: "The task is not open any more" },
  verb_not_applicable: { status: 409, title: "That cannot be done to it" },
  trigger_closed: { status: 410, title: "Nothing is taken here any more" },
  revision_mismatch: { status: 412, title: "It has changed since" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body's type is not supported" },
  action_invalid: { status: 422, title: "The action is not valid" },
  config_invalid: { status: 422, title: "The action's config is not valid" },
  definition_invalid: { status: 422, title: "The definition is not valid" },
  event_unknown: { status: 422, title: "The definition knows no such event" },
  idempotency_conflict: { status: 422, title: "The key was used for another request" },
  limit_exceeded: { status: 422, title: "A limit is exceeded" },
  payload_invalid: { status: 422, title: "The payload is not what the definition declares" },
  rule_too_costly: { status: 422, title: "One step would cost too much" },
  template_invalid: { status: 422, title: "The template is not valid" },
  variables_invalid: { status: 422, title: "The variables are not what the definition declares" },
  upgrade_required: { status: 426, title: "A WebSocket is needed" },
  deliveries_full: { status: 429, title: "Too many deliveries are waiting", retryAfterS: 300 },
  event_buffer_full: { status: 429, title: "Too many events are waiting", retryAfterS: 60 },
  quota_exceeded: { status: 429, title: "The tenant has used up what it may", retryAfterS: 60 },
  rate_limited: { status: 429, title: "Too many at once", retryAfterS: 1 },
  receipts_full: { status: 429, title: "Too many requests are remembered", retryAfterS: 3_600 },
  internal_error: { status: 500, title: "Our mistake" },
  not_a_poller: { status: 409, title: "The trigger is no poller" },
  not_configured: { status: 501, title: "This installation is not set up for it" },
  cell_full: { status: 503, title: "There is no room for more", retryAfterS: 300 },
  execution_unreadable: { status: 503, title: "The execution cannot be read just now", retryAfterS: 60 },
  unavailable: { status: 503, title: "Unavailable just now", retryAfterS: 1 },
};
