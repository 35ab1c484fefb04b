// Executions as API objects: ISO instants, without the engine's bookkeeping.
import { deadLetterId } from "#schema/ids.ts";
import type { Ending, OwnChild, Parent } from "#schema/engine/child.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { reasonOf } from "#schema/engine/reconciling.ts";
import { isFinalRun, waitsForPerson, type Run } from "#schema/engine/run.ts";
import { nextUp } from "#schema/engine/next-up.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { presentReconciler } from "../reconcilers/present.ts";
import type { ApiHold, Execution, ExecutionSummary } from "./shape.ts";
import type { ApiJourneyStanding, ApiScheduledNode } from "./standing.ts";
import { toInstant } from "#schema/values.ts";

type Standing = Pick<ApiJourneyStanding, "progress"> & {
  readonly currentNode: string | null;
  readonly nodes: { readonly [how in "done" | "skipped" | "failed"]: readonly string[] };
  readonly scheduled: readonly Scheduled[];
};
type Scheduled = Omit<ApiScheduledNode, "at" | "queueItemId"> & {
  readonly at: number | null;
  readonly run: string | null;
};

/** `accepts`: the event types that it accepts now; `standing`: its progress, if requested. */
export function presentExecution(
  state: ExecutionState,
  accepts: readonly string[] | null = null,
  standing: Standing | null = null,
): Execution {
  const next = nextUp(state);
  return {
    id: state.id,
    namespace: state.namespace,
    definition: state.definition,
    placement: state.placement,
    correlationId: state.correlationId,
    status: state.status,
    states: [...state.position.states],
    createdAt: toInstant(state.createdAt),
    updatedAt: toInstant(state.updatedAt),
    finishedAt: toInstant(state.finishedAt),
    wakeAt: toInstant(wakeAt(state)),
    subject: state.subject?.key ?? null,
    next: next && { at: toInstant(next.at), node: next.node },
    reason: reasonOf(state),
    error: state.error,
    retired: false,
    variables: state.variables,
    seq: state.seq,
    pausedAt: toInstant(state.pausedAt),
    retainUntil: toInstant(state.retainUntil),
    timers: state.timers.map((timer) => ({
      id: timer.id,
      kind: timer.kind,
      state: timer.state,
      expression: timer.expression,
      action: timer.action,
      armedAt: toInstant(timer.armedAt),
      at: toInstant(timer.at),
    })),
    waitingFor: waitingFor(state, accepts),
    runs: countByStatus(state.runs),
    eventsBuffered: state.buffer.length,
    ...(standing === null ? {} : { journey: presentStanding(state.id, standing) }),
    ...presentReconciler(state),
    ...(state.parent ? { parent: presentParent(state.parent) } : {}),
    ...(state.restartOf ? { restartOf: { execution: state.restartOf.execution, from: state.restartOf.from } } : {}),
    ...(state.children?.length ? { children: state.children.map(presentChild) } : {}),
    ...(state.ending ? { ending: presentEnding(state.ending) } : {}),
    ...(state.startedBy ? { startedBy: state.startedBy } : {}),
  };
}

function presentParent({ execution, run, action, waits, depth = 0 }: Parent) {
  return { execution, run, action, waits: waits !== false, depth };
}

function presentChild({ run, action, execution, onCancel, stopping }: OwnChild) {
  return { run, action, execution, onCancel, stopping: stopping !== undefined };
}

function presentEnding(ending: Ending) {
  const { as, at } = ending;
  return { as, since: toInstant(at), reason: ending.as === "failed" ? ending.error.message : ending.reason };
}

function presentStanding(execution: string, { currentNode, nodes, scheduled, progress }: Standing): ApiJourneyStanding {
  return {
    currentNode,
    completedNodes: [...nodes.done],
    skippedNodes: [...nodes.skipped],
    failedNodes: [...nodes.failed],
    scheduledNodes: scheduled.map((node) => presentScheduled(execution, node)),
    progress,
  };
}

export function presentScheduled(execution: string, { at, run, ...node }: Scheduled): ApiScheduledNode {
  return { ...node, at: toInstant(at), queueItemId: run === null ? null : `${execution}.${run}` };
}

/** The object has deleted itself; only the catalog's row exists. */
export function presentRetired(row: ExecutionRow): Execution {
  const { error, quarantine: _quarantine, ...summary } = presentSummary(row);
  return {
    ...summary,
    error: error === null ? null : { type: "unknown_error", message: error, retryable: false },
    retired: true,
    variables: {},
    seq: row.seq,
    pausedAt: null,
    retainUntil: null,
    timers: [],
    waitingFor: [],
    runs: {},
    eventsBuffered: 0,
  };
}

export function presentSummary(row: ExecutionRow): ExecutionSummary {
  return {
    id: row.id,
    namespace: row.namespace,
    definition: { id: row.definitionId, name: row.definitionName, version: row.definitionVersion },
    placement: row.placement,
    correlationId: row.correlationId,
    status: row.status,
    states: row.states,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
    finishedAt: toInstant(row.finishedAt),
    wakeAt: toInstant(row.wakeAt),
    subject: row.subject ?? null,
    next: row.nextAt == null || row.nextNode == null ? null : { at: toInstant(row.nextAt), node: row.nextNode },
    reason: row.reason,
    error: row.error,
    quarantine: row.quarantine
      ? { reason: row.quarantine, since: toInstant(row.quarantinedAt ?? row.updatedAt) }
      : null,
    ...(row.triggerId && row.triggerKind ? { startedBy: { trigger: row.triggerId, kind: row.triggerKind } } : {}),
  };
}

/** The next thing that happens from a client's view; the object's own alarm may be earlier. */
function wakeAt(state: ExecutionState): number | null {
  if (isFinalStatus(state.status) || state.status === "paused") return null;
  const runs = state.runs.filter((run) => !isFinalRun(run.status));
  const instants = [
    ...state.timers.map((timer) => timer.at),
    ...runs.map((run) => (run.status === "running" ? run.deadlineAt : run.dueAt)),
    ...openTasks(state).flatMap(({ remindAt, escalateAt }) => [remindAt, escalateAt]),
    nextTick(state),
  ].filter((at) => at !== null);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** Open tasks, with their automatic deadline or escalation. */
function openTasks({ tasks }: ExecutionState) {
  return (tasks ?? []).flatMap(({ id, run, action, watch, withdrawn }) => {
    if (id === null || withdrawn) return [];
    return [{ task: id, run, action, remindAt: watch?.remind?.at ?? null, escalateAt: watch?.escalateAt ?? null }];
  });
}

/** Of a reconciler: when its rules are evaluated next, as far as known. A past one has run. */
function nextTick({ reconciling, updatedAt }: ExecutionState): number | null {
  const at = reconciling?.tickAt ?? null;
  return at !== null && at > updatedAt ? at : null;
}

function waitingFor(state: ExecutionState, accepts: readonly string[] | null): Execution["waitingFor"] {
  const people = state.runs.filter(waitsForPerson).map((run) => personFor(state, run));
  if (state.status === "paused") return [{ for: "resume" }, ...people];
  // An ended execution only has runs that an operator retried.
  const runs = state.runs.filter((run) => !isFinalRun(run.status) && !run.unwanted);
  const found: Execution["waitingFor"] = runs.map((run) => ({
    for: "run",
    run: run.id,
    action: run.action,
    status: run.status,
    held: heldOf(run),
  }));
  found.push(...people);
  if (isFinalStatus(state.status)) return found;
  for (const timer of state.timers)
    found.push(
      timer.at === null
        ? { for: "variable", timer: timer.id }
        : { for: "timer", timer: timer.id, at: toInstant(timer.at) },
    );
  for (const { remindAt, escalateAt, ...task } of openTasks(state)) {
    found.push({ for: "task", ...task, remindAt: toInstant(remindAt), escalateAt: toInstant(escalateAt) });
  }
  if (isParting(state)) return [...found, ...awaitedBy(state)];
  if (state.reconciling) return [...found, { for: "tick", at: toInstant(nextTick(state)) }];
  if (accepts !== null) return accepts.length > 0 ? [...found, { for: "event", types: [...accepts] }] : found;
  return state.status === "waiting" ? [...found, { for: "event" }] : found;
}

function isParting({ ending, position }: ExecutionState): boolean {
  return ending !== undefined || (position.kind === "journey" && position.exit !== undefined);
}

/** It ends after they have ended. */
function awaitedBy({ children }: ExecutionState): Execution["waitingFor"] {
  return (children ?? []).flatMap(({ run, action, execution, stopping }) =>
    stopping ? [] : [{ for: "child", run, action, execution }],
  );
}

function personFor({ id }: ExecutionState, run: Run): Execution["waitingFor"][number] {
  return { for: "person", deadLetter: deadLetterId(id, run.id), run: run.id, action: run.action };
}

function countByStatus(runs: readonly Run[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const run of runs) counts[run.status] = (counts[run.status] ?? 0) + 1;
  return counts;
}

/** Why a due run waits, and until when; null if it is not held. */
export function heldOf(run: Run): ApiHold | null {
  return run.status === "scheduled" && run.held ? { ...run.held, until: toInstant(run.held.until) } : null;
}
