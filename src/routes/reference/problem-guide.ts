// Problem guide: the meaning of each problem code, and the client's possible reaction. The page at /docs shows this
// table, and docs/reference/errors.md is generated from it. refusal-status.ts has statuses and titles.
import type { ProblemCode } from "#wire/problem.ts";

export type ProblemHelp = {
  readonly meaning: string;
  readonly fix: string;
  /** Names what else sends the code, in addition to the endpoints for which /openapi.json lists the code. */
  readonly elsewhere?: string;
};

const INTERNAL = "Used only between queue consumers and executions. No HTTP response has this code.";
const INBOUND = "The addresses of triggers.";
const REPEAT = "Send the same request again with the same `Idempotency-Key`.";

export const problemGuide: { readonly [code in ProblemCode]: ProblemHelp } = {
  action_invalid: {
    meaning: "The action has an unknown type or an invalid config.",
    fix: "Correct the fields that `errors` points to.",
  },
  action_queue_full: {
    meaning: "The reconciler has an action in progress, and it runs one action at a time.",
    fix: "Wait until that action has ended, or cancel the execution.",
  },
  already_enrolled: {
    meaning: "The subject is or was in this journey, and the journey's setting `reentry` allows no new start now.",
    fix: "Use the execution in `details.execution`, or change `reentry` in the definition.",
  },
  already_exists: {
    meaning: "The name or id is already in use, or the resource that this `Idempotency-Key` created was deleted.",
    fix: "Choose another name, id or `Idempotency-Key`. To get the first response again, repeat the request with the same key and body.",
  },
  answer_lost: {
    meaning: "The first request with this `Idempotency-Key` made its change, but its response was not stored.",
    fix: "Read the resource, or `GET /v1/audit`. Use a new key for a new change.",
  },
  body_too_large: {
    meaning: "The body exceeds the size limit.",
    fix: "Send a smaller body. `details` has the limit.",
    elsewhere: INBOUND,
  },
  body_unreadable: {
    meaning: "The body ended early, or its chunks are not valid HTTP. Nothing was changed.",
    fix: "Send the request again with a correct `Content-Length` or with valid chunks.",
  },
  cell_full: {
    meaning: "The storage of this execution's cell is full. Nothing was started.",
    fix: "Shorten the retention, or give the definition the placement `own`. Then retry.",
  },
  computations_full: {
    meaning: "Too many previews, forecasts and tests are running at the same time.",
    fix: "Retry after `Retry-After`.",
  },
  config_invalid: {
    meaning: "With the changes in this retry, the action's config would be invalid. Nothing was changed.",
    fix: "Correct the fields that `errors` points to. `config` is a merge patch.",
  },
  configuration_conflict: {
    meaning:
      "The document changes a fixed field, such as a connection's provider, or deletes a resource that it still uses. Nothing was changed.",
    fix: "Read the conflicts in `errors`. Delete the resource first, use another name, or remove the reference.",
  },
  definition_archived: {
    meaning: "The version is archived and starts no executions.",
    fix: "Name another version, or store the same content again as a new version.",
  },
  definition_invalid: {
    meaning: "The definition has errors, or one of its tests fails.",
    fix: "Correct the fields that `errors` points to. `POST /v1/definitions/validate` checks a definition and stores nothing.",
  },
  definition_rolled_back: {
    meaning: "The content equals a version that was rolled back.",
    fix: "Publish that version (`details.version`), or change the content.",
  },
  definition_unpublished: {
    meaning: "The definition has drafts only, and the request names no version.",
    fix: "Publish a version, or name a version, such as `order@1`.",
  },
  deliveries_full: {
    meaning: "The trigger already stores the maximum number of unfinished deliveries.",
    fix: "Correct the trigger's mapping and replay its deliveries, or retry after `Retry-After`.",
    elsewhere: INBOUND,
  },
  delivery_not_replayable: {
    meaning: "The delivery is pending or applied, or its request is no longer stored.",
    fix: "Read the delivery. Only ignored, outdated, unmappable and failed deliveries can be replayed.",
  },
  event_buffer_full: {
    meaning: "The execution, or the correlation key, already has the maximum number of waiting events.",
    fix: "Retry later, or resume the execution. Publish an event with `keep: false` if it need not wait.",
  },
  event_not_accepted: {
    meaning: "The current state does not accept the event, the event's guard is false, or the event type is reserved.",
    fix: "Read `GET /v1/executions/{id}/explain` for accepted events. Types that begin with `action.` or `execution.` are reserved.",
  },
  event_too_late: {
    meaning: "The execution has passed every state that accepts the event.",
    fix: "Do not retry. Send an event that the current state accepts.",
  },
  event_unknown: {
    meaning: "No state of the definition accepts events of this type.",
    fix: "Check the spelling of `type`. The hint has the known types or the closest type.",
  },
  execution_final: {
    meaning: "The execution or the action has ended.",
    fix: "Start a new execution or action, or restart the execution.",
  },
  execution_live: {
    meaning: "The request needs an ended execution, but this execution is still live.",
    fix: "Cancel the execution or wait until it has ended. Then send the request again.",
  },
  execution_not_paused: {
    meaning: "The execution is not paused, so it cannot be resumed.",
    fix: "Read the execution's `status`.",
  },
  execution_paused: { meaning: "The execution is paused.", fix: "Resume the execution, then send the request again." },
  execution_unreadable: {
    meaning: "The running code cannot read the stored state of the execution, which is quarantined.",
    fix: "Deploy code that can read the stored state, or cancel the execution.",
  },
  idempotency_conflict: {
    meaning: "The `Idempotency-Key` or the id was used for another request.",
    fix: "Use a new key for a new request. Repeat a request with its original body.",
  },
  in_use: {
    meaning: "Other resources name the resource. `details.usedBy` lists them.",
    fix: "Remove the references, then delete the resource.",
  },
  internal_error: { meaning: "The engine failed. Its log has the cause under `requestId`.", fix: REPEAT },
  invalid_input: {
    meaning: "A field, a parameter or a header is unknown, missing or invalid.",
    fix: "Correct the fields that `errors` points to.",
  },
  limit_exceeded: {
    meaning: "A size, a count, a depth or the cost of a computation exceeds a named limit.",
    fix: "Send less, or split the request. The message has the limit and the actual value.",
  },
  malformed_json: { meaning: "The body is not JSON.", fix: "Correct the body at the position in `details`." },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    fix: "Use a method that the header `Allow` names.",
    elsewhere: "Every path.",
  },
  not_a_poller: { meaning: "The trigger is a webhook and cannot poll.", fix: "Name a trigger of the kind `poller`." },
  not_configured: {
    meaning: "The installation lacks a binding, a variable or a secret that this request needs.",
    fix: "Set the binding, variable or secret that the hint names, then deploy.",
  },
  not_found: {
    meaning: "The key's tenant has no such resource.",
    fix: "Check the id and the tenant. An execution's history is deleted after its retention.",
  },
  nothing_to_publish: {
    meaning: "The definition has no draft.",
    fix: "Name the version to publish: `POST /v1/definitions/{ref}/publish` with `name@version`.",
  },
  nothing_to_roll_back: {
    meaning: "The named version is not the published version, or no earlier publication can be restored.",
    fix: "Read `GET /v1/definitions/{ref}/publications`. Publish another version, or archive the named version.",
  },
  operation_started: {
    meaning: "The enrolment list accepts no more lines, because it was started or has ended.",
    fix: "Open another list for the remaining lines.",
  },
  operation_final: { meaning: "The operation has ended.", fix: "Start another operation." },
  origin_not_allowed: {
    meaning: "The tenant does not allow browsers to call from this origin. The root key allows none.",
    fix: "Add the origin: `PATCH /v1/tenants/{id}` with `origins` and the root key. Or call from a server.",
  },
  payload_invalid: {
    meaning: "The payload does not match the event's schema in the definition.",
    fix: "Correct the fields that `errors` points to.",
  },
  precondition_failed: {
    meaning: "The resource is not in the state that `If-Match` or `If-None-Match` requires. Nothing was changed.",
    fix: "Read the resource, merge your change, and retry with the current `ETag`. Omit the header to write in any state.",
  },
  quota_exceeded: {
    meaning: "The tenant has used up the quota in `details.limit`.",
    fix: "Retry after `Retry-After`, delete unused resources, or raise the quota with the root key.",
    elsewhere: INBOUND,
  },
  rate_limited: {
    meaning: "The trigger receives more deliveries a minute than its `rateLimit` allows.",
    fix: "Retry after `Retry-After`, or raise the trigger's `rateLimit`.",
    elsewhere: INBOUND,
  },
  receipts_full: {
    meaning: "The execution already accepted the maximum number of requests with a key or an id for one day.",
    fix: "Retry later, or send the request without a key and an id if a duplicate does no harm.",
  },
  revision_mismatch: {
    meaning: "The resource has changed since the revision in `If-Match`. Nothing was changed.",
    fix: "Read the resource, then retry with its current revision.",
  },
  rotation_in_progress: {
    meaning: "The keys of an earlier rotation still sign webhooks.",
    fix: 'Wait until the earlier keys expire. If a key has leaked, rotate with `{"overlap":"PT0S"}`.',
  },
  rule_too_costly: {
    meaning: "One step would exceed the budget for rules, templates and transitions. Nothing was changed.",
    fix: "Send less data, or split the work over several events.",
  },
  run_not_claimable: {
    meaning: "The run has ended or is canceled, so its attempt cannot be claimed.",
    fix: "No action is needed. The queue consumer drops the message.",
    elsewhere: INTERNAL,
  },
  run_not_startable: {
    meaning: "The run's status does not allow the request. For example, the run is a handled dead letter.",
    fix: 'Read the run\'s status. To retry a handled dead letter, send `"force": true`.',
  },
  run_stale: {
    meaning: "The attempt already has a result, or the run has a newer attempt.",
    fix: "No action is needed. The queue consumer drops the message.",
    elsewhere: INTERNAL,
  },
  scope_missing: {
    meaning: "The key lacks a scope, or the endpoint needs the root key.",
    fix: "Use a key with the scope in `details.scope`. No scope implies another.",
  },
  state_changed: {
    meaning: "The execution is not in a state that `If-State` names. Nothing was changed.",
    fix: "Read the execution, then retry with its current state or without `If-State`.",
  },
  task_closed: {
    meaning: "The task is completed, canceled or withdrawn.",
    fix: "Read the task and its execution. A closed task stays closed.",
  },
  template_invalid: { meaning: "The template has errors.", fix: "Correct the fields that `errors` points to." },
  tenant_suspended: {
    meaning: "The tenant is suspended: reads work, and nothing new starts.",
    fix: "Resume the tenant with the root key: `POST /v1/tenants/{id}/resume`.",
    elsewhere: INBOUND,
  },
  trigger_closed: {
    meaning: "The trigger was disabled or deleted, or its address was replaced.",
    fix: "Enable the trigger: `POST /v1/triggers/{ref}/enable`. Or use its current address.",
    elsewhere: INBOUND,
  },
  unauthenticated: {
    meaning: "The request has no valid API key; at a trigger or a callback address, no valid signature.",
    fix: "Send `Authorization: Bearer <key>`, or sign the body with the current secret.",
    elsewhere: "The addresses of triggers and of callbacks.",
  },
  unavailable: {
    meaning:
      "The engine cannot reach the catalog or a Durable Object now, or another request changes the same resource.",
    fix: REPEAT,
    elsewhere: "The addresses of triggers and of callbacks.",
  },
  unsupported_media_type: {
    meaning: "The body's `Content-Type` is not supported.",
    fix: "Send `Content-Type: application/json`. Triggers also accept forms, XML and text.",
    elsewhere: INBOUND,
  },
  upgrade_required: {
    meaning: "The endpoint accepts WebSocket connections only.",
    fix: "Open a WebSocket, or read `GET /v1/executions/{id}`.",
  },
  variables_invalid: {
    meaning: "The variables do not match the definition's schema.",
    fix: "Correct the fields that `errors` points to.",
  },
  verb_not_applicable: {
    meaning: "The verb cannot be applied to this kind of execution, run, timer or node.",
    fix: "Read the hint, which names the verbs or values that work.",
  },
};
