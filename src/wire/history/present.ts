// Runs, journal entries and replies as the wire sees them.
import type { Reply } from "#schema/engine/cell.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Json } from "#schema/json.ts";
import { isHandled, type Attempt, type Run } from "#schema/engine/run.ts";
import type { ApiEntry, ApiReply, ApiRun } from "./shape.ts";
import { heldOf, presentExecution } from "../executions/present.ts";
import { redact } from "../redact.ts";
import { listedOutcome, listedResult } from "../short-lived.ts";
import { toInstant } from "#schema/values.ts";

export function presentReply(reply: Reply, dryRun: boolean): ApiReply {
  return {
    execution: presentExecution(reply.state, reply.accepts ?? null),
    seq: reply.seq,
    repeated: reply.repeated,
    dryRun,
    timersMoved: reply.moves.map((move) => ({ timer: move.timer, from: toInstant(move.from), to: toInstant(move.to) })),
    notMoved: [...(reply.notMoved ?? [])],
    cameBack: (reply.cameBack ?? []).map((each) => ({ ...each, dueAt: toInstant(each.dueAt) })),
    ...(reply.entries === undefined ? {} : { entries: reply.entries.map(presentEntry) }),
  };
}

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
    claimedAt: toInstant(run.claimedAt),
    deadlineAt: toInstant(run.deadlineAt),
    finishedAt: toInstant(run.finishedAt),
    config: run.config === null ? null : redact(run.config),
    attempts: run.attempts.map(presentAttempt),
    error: run.error,
    result: listedResult(run.type, run.result),
    reason: run.reason,
    held: heldOf(run),
    deadLetter: run.deadLetter,
    handled: isHandled(run),
    costEstimate: run.costEstimate,
  };
}

/** Fields that hold an instant, wherever an entry has them. Nothing the user wrote is looked into. */
const INSTANTS = new Set(["at", "dueAt", "from", "to", "startedAt", "endedAt", "until"]);
const NESTED = new Set(["moves", "outcome"]);

export function presentEntry(entry: JournalEntry): ApiEntry {
  const { seq, n, at, kind } = entry;
  const fields = Object.entries(entry).map(([name, value]) => [name, presentField(name, value)]);
  return { ...Object.fromEntries(fields), seq, n, at: toInstant(at), kind };
}

function presentField(name: string, value: unknown): unknown {
  if (INSTANTS.has(name) && typeof value === "number") return toInstant(value);
  if (name === "config" && isObject(value)) return redact(value);
  if (!NESTED.has(name)) return value;
  if (name === "outcome" && isObject(value)) return presentFields(listedOutcome(value));
  if (Array.isArray(value)) return value.map((item: unknown) => (isObject(item) ? presentFields(item) : item));
  return isObject(value) ? presentFields(value) : value;
}

function presentFields(value: { readonly [key: string]: Json }): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, presentField(name, inner)]));
}

export function presentAttempt(attempt: Attempt): ApiRun["attempts"][number] {
  return {
    attempt: attempt.attempt,
    lane: attempt.lane,
    startedAt: toInstant(attempt.startedAt),
    endedAt: toInstant(attempt.endedAt),
    error: attempt.error,
    nextAttemptAt: toInstant(attempt.nextAttemptAt),
    possiblyRepeated: attempt.possiblyRepeated,
    costEstimate: attempt.costEstimate ?? null,
  };
}

/** Journal entries are plain JSON by construction, so an object in one is a JSON object. */
function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
