// Catalog rows: converts the state of an execution to the rows that the catalog stores.
import { nextActivity, nextWake } from "#kernel/waiting/next-instants.ts";
import { isPauseOfEngine } from "#kernel/execution/conclude.ts";
import { placeholderState } from "#kernel/programs/placeholder.ts";
import { messageRecipients } from "#policy/suppressions/message-recipients.ts";
import { timeOf } from "#schema/ids.ts";
import { ID_TIME_SLACK_MS } from "#schema/limits/pool-cells.ts";
import { ALERT_CLIENT_CHARS_MAX, ALERT_ERROR_CHARS_MAX } from "#schema/limits/upkeep/alert-throttle.ts";
import type { JsonObject } from "#schema/json.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { AuditRow, ExecutionRow, QuarantineRow, RunRow } from "#schema/engine/projection.ts";
import { reasonOf } from "#schema/engine/reconciling.ts";
import {
  currentHold,
  type Attempt,
  firstStartOf,
  isHandled,
  lastTry,
  latenessStart,
  type Redrive,
  type Run,
} from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Heads } from "../heads/heads.ts";
import { tenantOf, unknownIdentity } from "../heads/unreadable.ts";

export function executionRow(state: ExecutionState, now: number): ExecutionRow {
  const next = nextActivity(state);
  return {
    tenant: state.tenant,
    id: state.id,
    createdAt: state.createdAt,
    seq: state.seq,
    namespace: state.namespace,
    definitionId: state.definition.id,
    definitionName: state.definition.name,
    definitionVersion: state.definition.version,
    placement: state.placement,
    status: state.status,
    states: [...state.position.states],
    correlationId: state.correlationId,
    updatedAt: state.updatedAt,
    finishedAt: state.finishedAt,
    // Null after the end. The sweeper pokes executions whose wake is late, and a late deletion needs no poke.
    wakeAt: state.finishedAt === null ? nextWake(state, now) : null,
    reason: reasonOf(state),
    error: state.error && `${state.error.type}: ${state.error.message}`,
    pausedAt: state.pausedAt,
    ...alertFieldsOf(state),
    triggerId: state.startedBy?.trigger ?? null,
    triggerKind: state.startedBy?.kind ?? null,
    subject: state.subject?.key ?? null,
    nextAt: next?.at ?? null,
    nextNode: next?.node ?? null,
    parent: state.parent?.execution ?? null,
    ...errorsOf(state),
    ...errorCodeOf(state),
  };
}

/** Returns the failures of the execution, which the catalog keeps after the object is deleted. Empty without failures. */
function errorsOf({ errors, position }: ExecutionState): Pick<ExecutionRow, "errors"> {
  const failedNodes = position.kind === "journey" ? position.counts.failed : 0;
  const count = Math.max(errors?.count ?? 0, failedNodes);
  return count === 0 ? {} : { errors: { count, last: errors?.last ?? null } };
}

/** Returns the fields that only an alert needs: the last failed run, and for a journey the name of its client. */
function alertFieldsOf(state: ExecutionState): Pick<ExecutionRow, "journey" | "lastFailure"> {
  const { position, status, reason, variables, subject } = state;
  if (status !== "failed" && !(status === "paused" && isPauseOfEngine(reason))) return {};
  const journey = position.kind === "journey" ? { journey: { client: clientOf(variables, subject?.key ?? null) } } : {};
  return { ...journey, lastFailure: lastFailureOf(state) };
}

/** Returns the code of the execution's error, else of its last permanent failure. Empty without an error. */
function errorCodeOf(state: ExecutionState): Pick<ExecutionRow, "errorCode"> {
  const error = state.error ?? lastFailedRun(state.runs)?.error ?? null;
  return error === null ? {} : { errorCode: error.code ?? error.type };
}

function lastFailedRun(runs: readonly Run[]): Run | undefined {
  const failed = runs.filter((run) => run.deadLetter);
  return failed.toSorted((a, b) => Number(a.finishedAt) - Number(b.finishedAt)).at(-1);
}

function lastFailureOf({ runs, triggers }: ExecutionState): ExecutionRow["lastFailure"] {
  const run = lastFailedRun(runs);
  if (run === undefined || run.error === null) return null;
  const state = run.boundTo ?? triggers.find(({ seq }) => seq === run.trigger)?.currentState ?? run.action;
  const { type, code = null, message } = run.error;
  const error = message.slice(0, ALERT_ERROR_CHARS_MAX);
  return { run: run.id, action: run.action, state, attempts: lastTry(run), errorType: type, errorCode: code, error };
}

/** Returns the client's name from the variables, else the subject's key; null if there is neither. */
function clientOf(variables: JsonObject, subject: string | null): string | null {
  const names = [variables["clientName"], variables["name"]];
  const name = names.find((value) => typeof value === "string" && value !== "");
  const client = typeof name === "string" ? name : subject;
  return client === null ? null : client.slice(0, ALERT_CLIENT_CHARS_MAX);
}

export function runRow(state: ExecutionState, run: Run): RunRow {
  return {
    tenant: state.tenant,
    execution: state.id,
    id: run.id,
    seq: state.seq,
    action: run.action,
    type: run.type,
    status: run.status,
    attempt: lastTry(run),
    priority: run.priority,
    createdAt: run.createdAt,
    dueAt: run.dueAt,
    finishedAt: run.finishedAt,
    errorType: run.error?.type ?? null,
    error: run.error?.message ?? null,
    reason: run.reason,
    deadLetter: run.deadLetter,
    costEstimate: run.costEstimate,
    namespace: state.namespace,
    definition: state.definition.name,
    correlationId: state.correlationId,
    errorCode: run.error?.code ?? null,
    incarnation: state.createdAt,
    handled: isHandled(run),
    connection: run.deadLetter ? failedConnection(run) : null,
    selfHeal: run.deadLetter && run.heals !== undefined ? run.heals > (run.redriven?.healed ?? 0) : null,
    ...(run.deadLetter && state.position.kind === "journey" ? { journey: true } : {}),
    ...listedFields(run),
    tookMs: tookMs(run),
    ...attemptCounts(run),
    version: state.definition.version,
    ...countedFields(run),
  };
}

/** Returns the fields from which the catalog computes the run's counters. */
function countedFields(run: Run): Pick<RunRow, "uses" | "tried" | "triedAt" | "delayMs" | "redrives"> {
  const { config, attempts, redriven } = run;
  const ended = attempts.filter(({ endedAt }) => endedAt !== null);
  const uses = config?.["connection"];
  const from = latenessStart(run);
  const [first] = ended;
  // A run that had no attempt before it was retried waited for an operator, not for the engine.
  const isDelayKnown = first !== undefined && from !== null && redriven?.attemptsBefore !== 0;
  return {
    ...(typeof uses === "string" ? { uses } : {}),
    tried: ended.map(endedAttempt),
    ...(ended.length === 0 ? {} : { triedAt: ended.at(-1)?.endedAt ?? null }),
    ...(isDelayKnown ? { delayMs: Math.max(0, firstStartOf(first) - from) } : {}),
    ...(redriven === undefined ? {} : { redrives: { times: redriven.times, attempts: triesBefore(ended, redriven) } }),
  };
}

function endedAttempt(each: Attempt): NonNullable<RunRow["tried"]>[number] {
  const ms = Math.max(0, Number(each.endedAt) - firstStartOf(each));
  if (each.error === null) return { ms };
  const { type, code } = each.error;
  return { ms, error: type, ...(code === undefined ? {} : { code }) };
}

function triesBefore(ended: readonly Attempt[], { attemptsBefore }: Redrive): number {
  return ended.filter(({ attempt }) => attempt <= attemptsBefore).length;
}

/** Returns the fields by which lists filter runs. */
function listedFields(run: Run): Pick<RunRow, "recipients" | "held"> {
  const recipients = messageRecipients(run.type, run.config);
  const held = run.status !== "scheduled" ? null : currentHold(run) === null ? (run.held?.reason ?? null) : "operator";
  return { ...(recipients.length === 0 ? {} : { recipients: [...recipients] }), ...(held === null ? {} : { held }) };
}

/** Counts the attempts since an operator's last retry. Earlier attempts were counted when the run failed before. */
function attemptCounts({ attempts, redriven }: Run): Pick<RunRow, "tries" | "timeouts"> {
  const counted = attempts.filter(({ attempt }) => attempt > (redriven?.attemptsBefore ?? 0));
  return { tries: counted.length, timeouts: counted.filter(({ error }) => error?.type === "timeout").length };
}

/**
 * Returns the connection of the run's last error. A lost attempt names no connection, so an earlier attempt's
 * connection is used.
 */
function failedConnection({ error, attempts }: Run): string | null {
  const lastNamed = attempts.findLast((each) => each.error?.connection !== undefined);
  return error?.connection ?? lastNamed?.error?.connection ?? null;
}

function tookMs({ attempts }: Run): number | null {
  const last = attempts.at(-1);
  return last === undefined || last.endedAt === null ? null : Math.max(0, last.endedAt - firstStartOf(last));
}

/** Returns an audit row for each journal entry that records an operator's action. */
export function auditRows(state: ExecutionState, entries: readonly JournalEntry[]): readonly AuditRow[] {
  return entries.flatMap((entry) => {
    const restartOf = entry.kind === "started" ? (entry.restartOf ?? null) : null;
    const verb = restartOf === null ? verbOf(entry) : "restart";
    if (verb === null || !("actor" in entry) || entry.actor.kind === "engine") return [];
    // A bulk operation has a single audit row, which its own service writes.
    if (entry.actor.operation !== undefined) return [];
    return [
      {
        tenant: state.tenant,
        id: `${state.id}/${entry.seq}.${entry.n}`,
        at: entry.at,
        actor: `${entry.actor.kind}:${entry.actor.id}`,
        verb: `execution.${verb}`,
        // The audit row of a restart belongs to the execution that was restarted.
        target: restartOf ?? state.id,
        reason: "reason" in entry ? (entry.reason ?? null) : null,
        details: restartOf === null ? null : state.id,
        person: entry.actor.person ?? null,
      },
    ];
  });
}

function verbOf({ kind }: JournalEntry): string | null {
  switch (kind) {
    case "patched":
      return "patch";
    case "paused":
      return "pause";
    case "resumed":
      return "resume";
    case "canceled":
    case "ending":
      return "cancel";
    case "erased":
      return "erase";
    case "run_redriven":
      return "retry";
    case "dead_letter_archived":
      return "archive";
    case "desired":
      return "desire";
    case "run_brought_forward":
      return "run-now";
    case "skipped_by_operator":
      return "skip";
    case "action_canceled":
      return "cancel-action";
    case "rescheduled":
      return "reschedule";
    case "held_by_operator":
      return "hold";
    case "released":
      return "release";
    case "completed_by_operator":
      return "complete";
    default:
      return null;
  }
}

/** Returns the catalog's row of a quarantined execution, from its id and the readable part of its head. */
export function quarantineRow(
  cell: string,
  heads: Pick<Heads, "identity">,
  id: string,
  change: Pick<QuarantineRow, "at" | "reason" | "isBack">,
): QuarantineRow {
  const { at } = change;
  const identity = heads.identity(id);
  const createdAt = identity?.createdAt ?? null;
  // The time in an id is approximate, so the catalog searches a range.
  const approximate = createdAt === null ? timeOf(id) : null;
  const slackMs = approximate === null ? 0 : ID_TIME_SLACK_MS;
  return {
    tenant: identity?.tenant ?? tenantOf(cell),
    id,
    createdFrom: (createdAt ?? approximate ?? 0) - slackMs,
    createdTo: (createdAt ?? approximate ?? Number.MAX_SAFE_INTEGER) + slackMs,
    ...change,
    row: executionRow(placeholderState(id, identity ?? unknownIdentity(cell, id, at), { reason: "", since: at }), at),
  };
}
