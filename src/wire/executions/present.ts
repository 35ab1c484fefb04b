// Executions as API objects: times are ISO 8601 instants, and internal fields are left out.
import { deadLetterId } from "#schema/ids.ts";
import type { Ending, OwnChild, Parent } from "#schema/engine/child.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { reasonOf } from "#schema/engine/reconciling.ts";
import type { Run } from "#schema/engine/run.ts";
import { isEnding } from "#kernel/waiting/ending-execution.ts";
import { nextAutomaticChange, nextActivity } from "#kernel/waiting/next-instants.ts";
import { waitsOf, type ExecutionWait } from "#kernel/waiting/waits.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { presentStoredError } from "../action-error.ts";
import { presentReconciler } from "../reconcilers/present.ts";
import type { ExecutionPage } from "./list-query.ts";
import type { ApiHold, Execution, ExecutionSummary } from "./shape.ts";
import type { ApiJourneyStanding, ApiScheduledNode } from "./progress.ts";
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

/**
 * Presents an execution from its state. `accepts`: the event types that the execution accepts. `standing`: a journey's
 * progress; null if the client did not request it.
 */
export function presentExecution(
  state: ExecutionState,
  accepts: readonly string[] | null = null,
  standing: Standing | null = null,
): Execution {
  const next = nextActivity(state);
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
    wakeAt: toInstant(nextAutomaticChange(state)),
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
    ...presentSkip(state),
  };
}

function presentSkip({ startPlace }: ExecutionState): Pick<Execution, "skipped"> {
  const { skipped } = startPlace ?? {};
  return skipped === undefined ? {} : { skipped: { ...skipped, nextAt: toInstant(skipped.nextAt) } };
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

/**
 * Presents an execution whose object was deleted. Only the catalog's row is left, so the result has no variables,
 * timers or runs.
 */
export function presentRetired(row: ExecutionRow): Execution {
  const { quarantine: _quarantine, ...summary } = presentSummary(row);
  return {
    ...summary,
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
    error: presentStoredError({ message: row.error }),
    quarantine: row.quarantine
      ? { reason: row.quarantine, since: toInstant(row.quarantinedAt ?? row.updatedAt) }
      : null,
    ...(row.triggerId && row.triggerKind ? { startedBy: { trigger: row.triggerId, kind: row.triggerKind } } : {}),
  };
}

type Found = {
  readonly data: readonly ExecutionRow[];
  readonly nextCursor: string | null;
  readonly stoppedEarly: boolean;
  readonly count: { readonly value: number; readonly exact: boolean } | null;
};

export function presentExecutionPage({ data, nextCursor, stoppedEarly, count }: Found): ExecutionPage {
  return { data: data.map(presentSummary), nextCursor, stoppedEarly, ...(count === null ? {} : { count }) };
}

function waitingFor(state: ExecutionState, accepts: readonly string[] | null): Execution["waitingFor"] {
  const isOver = isFinalStatus(state.status);
  // This function has no clock, so waits are computed for the time of the state's last change.
  return waitsOf(state, state.updatedAt, accepts).flatMap((wait) => {
    if (state.status === "paused" && wait.for !== "resume" && wait.for !== "person") return [];
    // An ended execution waits only for runs that an operator has retried, and for decisions of operators about dead
    // letters.
    return isOver && wait.for !== "run" && wait.for !== "person" ? [] : presentWait(state, wait);
  });
}

function presentWait(state: ExecutionState, wait: ExecutionWait): Execution["waitingFor"] {
  switch (wait.for) {
    case "resume":
      return [{ for: "resume" }];
    case "run":
      return wait.run.unwanted ? [] : [presentRunWait(wait.run)];
    case "person":
      return [personFor(state, wait.run)];
    case "timer": {
      const { timer, until: at } = wait;
      return [
        at === null ? { for: "variable", timer: timer.id } : { for: "timer", timer: timer.id, at: toInstant(at) },
      ];
    }
    case "task": {
      const { task, remindAt, escalateAt } = wait;
      const { id, run, action } = task;
      return [{ for: "task", task: id, run, action, remindAt: toInstant(remindAt), escalateAt: toInstant(escalateAt) }];
    }
    case "child": {
      const { run, action, execution } = wait.child;
      return wait.how === "awaited" ? [{ for: "child", run, action, execution }] : [];
    }
    case "tick":
      return isEnding(state) ? [] : [{ for: "tick", at: toInstant(wait.until) }];
    case "place": {
      const { hold, admittedAt } = wait.place;
      if (hold === null || admittedAt !== null) return [];
      return [{ for: "limit", ...hold, until: toInstant(hold.until) }];
    }
    case "event":
      return [wait.types === null ? { for: "event" } : { for: "event", types: [...wait.types] }];
    // No client can end these waits, because they are internal to the engine.
    case "archive":
    case "watch":
    case "collector":
    case "message":
    case "lists":
      return [];
  }
}

function presentRunWait(run: Run): Execution["waitingFor"][number] {
  return { for: "run", run: run.id, action: run.action, status: run.status, held: presentAutomaticHold(run) };
}

function personFor({ id }: ExecutionState, run: Run): Execution["waitingFor"][number] {
  return { for: "person", deadLetter: deadLetterId(id, run.id), run: run.id, action: run.action };
}

function countByStatus(runs: readonly Run[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const run of runs) counts[run.status] = (counts[run.status] ?? 0) + 1;
  return counts;
}

/** Returns why a scheduled run is held, and until when; null if the run is not held. */
export function presentAutomaticHold(run: Run): ApiHold | null {
  return run.status === "scheduled" && run.held ? { ...run.held, until: toInstant(run.held.until) } : null;
}
