// Catalog rows: converts an execution's state to the full rows that the catalog stores.
import { nextUp, nextWake } from "#kernel/waiting/next-instants.ts";
import { standIn } from "#kernel/programs/placeholder.ts";
import { timeOf } from "#schema/ids.ts";
import { ID_TIME_SLACK_MS } from "#schema/limits/pool-cells.ts";
import { ALERT_CLIENT_CHARS_MAX } from "#schema/limits/upkeep/alert-throttle.ts";
import type { JsonObject } from "#schema/json.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { AuditRow, ExecutionRow, QuarantineRow, RunRow } from "#schema/engine/projection.ts";
import { reasonOf } from "#schema/engine/reconciling.ts";
import { firstStartOf, isHandled, lastTry, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Heads } from "../heads/heads.ts";
import { anonymous, tenantOf } from "../heads/unreadable.ts";

export function executionRow(state: ExecutionState, now: number): ExecutionRow {
  const next = nextUp(state);
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
    // Deleting history is the object's own task: nothing is late when history expires.
    wakeAt: state.finishedAt === null ? nextWake(state, now) : null,
    reason: reasonOf(state),
    error: state.error && `${state.error.type}: ${state.error.message}`,
    pausedAt: state.pausedAt,
    ...journeyOf(state),
    triggerId: state.startedBy?.trigger ?? null,
    triggerKind: state.startedBy?.kind ?? null,
    subject: state.subject?.key ?? null,
    nextAt: next?.at ?? null,
    nextNode: next?.node ?? null,
    parent: state.parent?.execution ?? null,
  };
}

/** Only for journeys, for which alerts may depend on it. */
function journeyOf({ position, status, reason, variables, subject }: ExecutionState): Pick<ExecutionRow, "journey"> {
  const { kind }: { readonly kind: string } = position;
  const isAlerting = status === "failed" || (status === "paused" && reason === "action_failed");
  return kind === "journey" && isAlerting ? { journey: { client: clientOf(variables, subject?.key ?? null) } } : {};
}

/** The client of a journey: a name, or else the subject's key. */
function clientOf(variables: JsonObject, subject: string | null): string | null {
  const named = [variables["clientName"], variables["name"]].find((name) => typeof name === "string" && name !== "");
  const client = typeof named === "string" ? named : subject;
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
    connection: run.deadLetter ? failedOver(run) : null,
    selfHeal: run.deadLetter && run.heals !== undefined ? run.heals > (run.redriven?.healed ?? 0) : null,
    tookMs: tookMs(run),
    ...triesOf(run),
  };
}

/** Attempts before an operator's retry were projected when those failed. */
function triesOf({ attempts, redriven }: Run): Pick<RunRow, "tries" | "timeouts"> {
  const since = attempts.filter(({ attempt }) => attempt > (redriven?.attemptsBefore ?? 0));
  return { tries: since.length, timeouts: since.filter(({ error }) => error?.type === "timeout").length };
}

/** A lost attempt names no provider: then it was the one of the attempt before. */
function failedOver({ error, attempts }: Run): string | null {
  return (
    error?.connection ?? attempts.findLast((each) => each.error?.connection !== undefined)?.error?.connection ?? null
  );
}

function tookMs({ attempts }: Run): number | null {
  const last = attempts.at(-1);
  return last === undefined || last.endedAt === null ? null : Math.max(0, last.endedAt - firstStartOf(last));
}

/** Control verbs, read from the journal, which records what operators did to an execution. */
export function auditRows(state: ExecutionState, entries: readonly JournalEntry[]): readonly AuditRow[] {
  return entries.flatMap((entry) => {
    const restartOf = entry.kind === "started" ? (entry.restartOf ?? null) : null;
    const verb = restartOf === null ? verbOf(entry) : "restart";
    if (verb === null || !("actor" in entry) || entry.actor.kind === "engine") return [];
    // A bulk operation has one row of its own.
    if (entry.actor.operation !== undefined) return [];
    return [
      {
        tenant: state.tenant,
        id: `${state.id}/${entry.seq}.${entry.n}`,
        at: entry.at,
        actor: `${entry.actor.kind}:${entry.actor.id}`,
        verb: `execution.${verb}`,
        // The audit of a restarted execution is listed under its first id.
        target: restartOf ?? state.id,
        reason: "reason" in entry ? (entry.reason ?? null) : null,
        details: restartOf === null ? null : state.id,
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
    case "skipped_by_hand":
      return "skip";
    case "rescheduled":
      return "reschedule";
    case "held_by_hand":
      return "hold";
    case "released":
      return "release";
    case "completed_by_hand":
      return "complete";
    default:
      return null;
  }
}

/** The catalog's row of a quarantined execution: found by its id and by what its head still holds. */
export function quarantineRow(
  cell: string,
  heads: Pick<Heads, "identity">,
  id: string,
  told: Pick<QuarantineRow, "at" | "reason" | "isBack">,
): QuarantineRow {
  const { at } = told;
  const identity = heads.identity(id);
  const born = identity?.createdAt ?? null;
  const around = born === null ? timeOf(id) : null;
  const slack = around === null ? 0 : ID_TIME_SLACK_MS;
  return {
    tenant: identity?.tenant ?? tenantOf(cell),
    id,
    createdFrom: (born ?? around ?? 0) - slack,
    createdTo: (born ?? around ?? Number.MAX_SAFE_INTEGER) + slack,
    ...told,
    row: executionRow(standIn(id, identity ?? anonymous(cell, id, at), { reason: "", since: at }), at),
  };
}
