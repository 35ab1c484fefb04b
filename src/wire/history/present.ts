// Runs, journal entries and replies as API objects.
import type { Reply } from "#schema/engine/cell.ts";
import { currentHold, isHandled, plannedFor, type Attempt, type Run } from "#schema/engine/run.ts";
import type { ApiReply, ApiRun } from "./shape.ts";
import { only, type FieldsAsked } from "../executions/fields.ts";
import { presentAutomaticHold, presentExecution } from "../executions/present.ts";
import { redact } from "../redact.ts";
import { presentWould } from "./dry-run.ts";
import { redactResult } from "../short-lived.ts";
import { toInstant } from "#schema/values.ts";

export function presentReply(reply: Reply, dryRun: boolean): ApiReply {
  return {
    execution: presentExecution(reply.state, reply.accepts ?? null),
    seq: reply.seq,
    repeated: reply.repeated,
    dryRun,
    timersMoved: reply.moves.map((move) => ({ ...move, from: toInstant(move.from), to: toInstant(move.to) })),
    notMoved: [...(reply.notMoved ?? [])],
    reactivated: (reply.cameBack ?? []).map((each) => ({ ...each, dueAt: toInstant(each.dueAt) })),
    ...presentWould(reply),
  };
}

type NarrowedReply = Omit<ApiReply, "execution"> & { readonly execution: Partial<ApiReply["execution"]> };

/**
 * Reduces the execution in a reply to the requested fields. If the client requested none, the reply stays unchanged.
 */
export function selectFields(reply: ApiReply, fields: FieldsAsked | undefined): NarrowedReply {
  return { ...reply, execution: only(reply.execution, fields) };
}

/**
 * Presents a run. `held`: the run waits for a quota, a window or a similar limit. `heldByOperator`: an operator holds the
 * run.
 */
export function presentRun(execution: string, run: Run): ApiRun {
  return {
    id: run.id,
    action: run.action,
    type: run.type,
    status: run.status,
    priority: run.priority,
    attempt: run.attempt,
    lane: run.lane,
    idempotencyKey: `${execution}/${run.id}`,
    createdAt: toInstant(run.createdAt),
    dueAt: toInstant(run.dueAt),
    plannedAt: toInstant(plannedFor(run)),
    claimedAt: toInstant(run.claimedAt),
    deadlineAt: toInstant(run.deadlineAt),
    finishedAt: toInstant(run.finishedAt),
    config: run.config === null ? null : redact(run.config),
    attempts: run.attempts.map(presentAttempt),
    error: run.error,
    result: redactResult(run.type, run.result),
    reason: run.reason,
    held: presentAutomaticHold(run),
    heldByOperator: presentOperatorHold(run),
    deadLetter: run.deadLetter,
    handled: isHandled(run),
    costEstimate: run.costEstimate,
  };
}

function presentOperatorHold(run: Run): ApiRun["heldByOperator"] {
  const held = currentHold(run);
  if (held === null) return null;
  const { since, actor, reason, dueAt } = held;
  return { since: toInstant(since), by: `${actor.kind}:${actor.id}`, reason, dueAt: toInstant(dueAt) };
}

export function durationOf({ startedAt, endedAt }: Pick<Attempt, "startedAt" | "endedAt">): number | null {
  return endedAt === null ? null : endedAt - startedAt;
}

export function presentAttempt(attempt: Attempt): ApiRun["attempts"][number] {
  return {
    attempt: attempt.attempt,
    lane: attempt.lane,
    startedAt: toInstant(attempt.startedAt),
    endedAt: toInstant(attempt.endedAt),
    durationMs: durationOf(attempt),
    error: attempt.error,
    nextAttemptAt: toInstant(attempt.nextAttemptAt),
    possiblyRepeated: attempt.possiblyRepeated,
    costEstimate: attempt.costEstimate ?? null,
  };
}
