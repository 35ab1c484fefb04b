// Standalone actions as API objects: made from the action's execution, or from the catalog's rows if the execution's
// object was deleted.
import { actionRun, actionStatus, type RetiredAction, type SeenAction } from "#schema/engine/action-status.ts";
import type { Reply } from "#schema/engine/cell.ts";
import { deadLetterId } from "#schema/ids.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { ApiAction, ApiActionReply, ApiActionSummary } from "./shape.ts";
import { presentStoredError } from "../action-error.ts";
import { presentAutomaticHold } from "../executions/present.ts";
import { presentAttempt } from "../history/present.ts";
import { presentWould } from "../history/dry-run.ts";
import { redact } from "../redact.ts";
import { toInstant } from "#schema/values.ts";

export function presentAction({ state, standalone, maxAttempts }: SeenAction): ApiAction {
  const run = actionRun(state);
  const { action, dedup } = standalone;
  return {
    id: state.id,
    actionId: action.actionId,
    type: action.type,
    status: actionStatus(state),
    namespace: state.namespace,
    correlationId: state.correlationId,
    attempt: run?.attempt ?? 0,
    maxAttempts,
    priority: action.priority ?? 0,
    description: action.description ?? null,
    tags: action.tags ?? [],
    variables: state.variables,
    dedupKey: dedup?.key ?? null,
    dedupUntil: toInstant(dedup === null ? null : state.createdAt + dedup.windowMs),
    createdAt: toInstant(state.createdAt),
    ...(run === undefined ? withoutRun : progress(state, run)),
    retired: false,
  };
}

/**
 * Redacts `config`, which may contain a credential that a client wrote into it. `result` and `error` were redacted
 * before they were stored.
 */
function progress(state: ExecutionState, run: Run) {
  const { redriven } = run;
  return {
    attempts: run.attempts.map(presentAttempt),
    lane: run.lane,
    config: run.config === null ? null : redact(run.config),
    result: run.result,
    error: run.error,
    reason: run.reason ?? state.reason,
    held: presentAutomaticHold(run),
    dueAt: toInstant(run.dueAt),
    startedAt: toInstant(run.attempts[0]?.startedAt ?? null),
    finishedAt: toInstant(run.finishedAt),
    costEstimate: run.costEstimate,
    idempotencyKey: `${state.id}/${run.id}`,
    deadLetterId: run.deadLetter ? deadLetterId(state.id, run.id) : null,
    redriven: redriven === undefined ? null : { ...redriven, at: toInstant(redriven.at) },
  };
}

const withoutRun = {
  attempts: [],
  lane: null,
  config: null,
  result: null,
  error: null,
  reason: null,
  held: null,
  dueAt: null,
  startedAt: null,
  finishedAt: null,
  costEstimate: null,
  idempotencyKey: null,
  deadLetterId: null,
  redriven: null,
};

/** Presents an action whose object was deleted, from the catalog's rows. */
export function presentRetiredAction({ row, run }: RetiredAction): ApiAction {
  const summary = run === null ? summaryOf(row) : presentActionSummary(run);
  return {
    ...withoutRun,
    ...summary,
    description: null,
    tags: [],
    maxAttempts: null,
    variables: {},
    dedupKey: null,
    dedupUntil: null,
    idempotencyKey: run === null ? null : `${row.id}/${run.id}`,
    retired: true,
  };
}

export function presentActionSummary(run: RunRow): ApiActionSummary {
  return {
    id: run.execution,
    actionId: run.action,
    type: run.type,
    status: run.status,
    namespace: run.namespace,
    correlationId: run.correlationId,
    attempt: run.attempt,
    priority: run.priority,
    createdAt: toInstant(run.createdAt),
    dueAt: toInstant(run.dueAt),
    finishedAt: toInstant(run.finishedAt),
    reason: run.reason,
    costEstimate: run.costEstimate,
    deadLetterId: run.deadLetter ? deadLetterId(run.execution, run.id) : null,
    error: storedErrorOf(run),
  };
}

export function storedErrorOf({ errorType, errorCode, error }: Pick<RunRow, "errorType" | "errorCode" | "error">) {
  return presentStoredError({ type: errorType, code: errorCode, message: error });
}

/** Presents an action from its execution's row. It is used if the catalog has no row of the action's run. */
function summaryOf(row: ExecutionRow): ApiActionSummary {
  const { id, namespace, correlationId, reason } = row;
  const error = presentStoredError({ message: row.error });
  const status = row.status === "completed" ? "ok" : row.status === "canceled" ? "canceled" : "failed";
  const blank = { attempt: 0, priority: 0, dueAt: null, costEstimate: null, deadLetterId: null };
  const ended = { createdAt: toInstant(row.createdAt), finishedAt: toInstant(row.finishedAt) };
  return { id, actionId: "", type: "", status, namespace, correlationId, reason, error, ...blank, ...ended };
}

export function presentActionReply(reply: Reply, seen: SeenAction, dryRun: boolean): ApiActionReply {
  return { action: presentAction(seen), repeated: reply.repeated, dryRun, ...presentWould(reply) };
}
