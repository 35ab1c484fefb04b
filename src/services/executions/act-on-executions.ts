// Actions on executions: an action of one execution starts another execution, or sends an event to another. The key of
// the start or event is derived from the run, so a retried run takes effect only once.
import { parentOf } from "#kernel/execution/children/children.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { SendEventRequest, ChildStartRequest } from "#schema/engine/child.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { keyedIdsOf } from "../cells/ids-and-cells.ts";
import type { TenantCaller } from "../deps.ts";
import type { StartRequest } from "./plan-start.ts";
import { startExecution, type StartDeps } from "./start-executions.ts";
import { sendEvent } from "./control-execution.ts";

export type ExecutionActResult =
  | { readonly ok: true; readonly execution: string; readonly repeated: boolean }
  | { readonly ok: false; readonly failure: { readonly error: ActionError } };

export function startFromRun(
  deps: StartDeps,
  ticket: Ticket,
  { wait, ...child }: ChildStartRequest,
): Promise<ExecutionActResult> {
  const parent = parentOf(ticket, wait, deps.now());
  const request = { ...child, id: null, key: runKey(ticket), parent, notAfter: ticket.deadlineAt };
  return startChild(deps, ticket, request, false);
}

/**
 * Returns the ids that the child of a run may have. Which one it has depends on the parent's placement, and on the size
 * of the pool when the child was started.
 */
export function childIds(tenant: string, idempotencyKey: string): Promise<readonly string[]> {
  return keyedIdsOf(tenant, runKey({ idempotencyKey }));
}

/** Predicts the result of starting the child, or the refusal. No object is called. */
export function rehearseStart(
  deps: StartDeps,
  ticket: Ticket,
  { wait, ...child }: ChildStartRequest,
): Promise<ExecutionActResult> {
  const parent = parentOf(ticket, wait, deps.now());
  return startChild(deps, ticket, { ...child, id: null, key: runKey(ticket), parent }, true);
}

async function startChild(
  deps: StartDeps,
  ticket: Ticket,
  request: StartRequest,
  dryRun: boolean,
): Promise<ExecutionActResult> {
  const caller = callerOfRun(ticket);
  const reply = await startExecution(deps, caller, { ...request, dryRun });
  return reply.ok ? actResult(reply.value.state.id, reply) : actFailure(reply.refusal);
}

export async function sendFromRun(
  deps: StartDeps,
  ticket: Ticket,
  request: SendEventRequest,
): Promise<ExecutionActResult> {
  const { execution, type, payload } = request;
  const id = request.eventId ?? runKey(ticket);
  // All senders use the same source. The history names the sending execution as the event's actor.
  const event = { execution, id, type, payload, source: SOURCE, correlationId: null, key: null, dryRun: false };
  return actResult(execution, await sendEvent(deps, callerOfRun(ticket), event));
}

const SOURCE = "execution";

/** With the prefix, a key that is derived from a run never equals a client's own key. */
function runKey({ idempotencyKey }: Pick<Ticket, "idempotencyKey">): string {
  return `run:${idempotencyKey}`;
}

function callerOfRun({ tenant, execution }: Ticket): TenantCaller {
  return { actor: { kind: "engine", id: execution }, tenant, scopes: ["write"] };
}

function actResult(execution: string, reply: Result<Reply>): ExecutionActResult {
  return reply.ok ? { ok: true, execution, repeated: reply.value.repeated } : actFailure(reply.refusal);
}

function actFailure({ code, message, hint }: Refusal): ExecutionActResult {
  // An object of a newer version may refuse with a code that this table does not contain.
  const [type, retryable] = errorMeaningOf(code) ?? NOT_ACCEPTED;
  const text = hint === undefined ? message : `${/[.?!]$/.test(message) ? message : `${message}.`} ${hint}`;
  return { ok: false, failure: { error: { type, message: text, retryable, code } } };
}

type ErrorMeaning = readonly [type: ActionError["type"], retryable: boolean];

/** The execution's current state does not accept the request. A retry would get the same answer. */
const NOT_ACCEPTED: ErrorMeaning = ["malformed_request", false];

function errorMeaningOf(code: Refusal["code"]): ErrorMeaning {
  switch (code) {
    case "cell_full":
    case "execution_unreadable":
    case "internal_error":
    case "unavailable":
    case "event_buffer_full":
    case "receipts_full":
    case "quota_exceeded":
    case "rate_limited":
    case "computations_full":
    case "deliveries_full":
    case "tenant_suspended":
      return ["service_unavailable", true];
    case "not_found":
      return ["not_found", false];
    case "definition_archived":
    case "definition_unpublished":
    case "invalid_input":
    case "limit_exceeded":
    case "payload_invalid":
    case "rule_too_costly":
    case "variables_invalid":
      return ["invalid_configuration", false];
    case "action_invalid":
    case "action_queue_full":
    case "already_enrolled":
    case "already_exists":
    case "in_use":
    case "answer_lost":
    case "body_too_large":
    case "config_invalid":
    case "configuration_conflict":
    case "definition_invalid":
    case "definition_rolled_back":
    case "delivery_not_replayable":
    case "event_not_accepted":
    case "event_too_late":
    case "event_unknown":
    case "execution_final":
    case "execution_live":
    case "execution_not_paused":
    case "execution_paused":
    case "idempotency_conflict":
    case "not_a_poller":
    case "not_configured":
    case "nothing_to_publish":
    case "nothing_to_roll_back":
    case "operation_started":
    case "operation_final":
    case "origin_not_allowed":
    case "precondition_failed":
    case "revision_mismatch":
    case "rotation_in_progress":
    case "run_not_claimable":
    case "run_not_startable":
    case "run_stale":
    case "scope_missing":
    case "state_changed":
    case "task_closed":
    case "template_invalid":
    case "trigger_closed":
    case "unauthenticated":
    case "verb_not_applicable":
      return NOT_ACCEPTED;
  }
}
