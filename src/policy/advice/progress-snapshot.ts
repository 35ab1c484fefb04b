// Computes an execution's progress for the monitor view: its nodes, scheduled runs and failures. Journeys use the marks
// of their nodes, and machines use their states.
import { waitsOf, type RunWait } from "#kernel/waiting/waits.ts";
import { isFinalRun, nodeOfRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState, ExecutionStatus, Timer } from "#schema/engine/state.ts";
import { localTimeOf } from "./retry-timetable.ts";

export type SnapshotStatus = "active" | "paused" | "completed" | "failed" | "waiting";

/**
 * The names of the nodes by progress, in order. `total`: the number of all nodes. `completed`: the number of nodes that
 * have ended.
 */
export type Nodes = {
  readonly open: readonly string[];
  readonly done: readonly string[];
  readonly skipped: readonly string[];
  readonly failed: readonly string[];
  readonly completed: number;
  readonly total: number;
};

export type ScheduledNode = {
  readonly node: string;
  /** The instant at which the node is due, in epoch ms; null if it depends on a missing variable. */
  readonly at: number | null;
  /** The due time in the definition's time zone. */
  readonly localTime: string | null;
  /** The action that the node starts; null if the node only waits. */
  readonly action: string | null;
  readonly type: string | null;
  readonly run: string | null;
  /**
   * Why the node does not start: a hold's reason, `paused`, `by_operator`, `variable` or `slot`; null if nothing holds it.
   */
  readonly held: string | null;
};

export type ProgressSnapshot = {
  readonly status: SnapshotStatus;
  readonly currentNode: string | null;
  readonly nodes: Nodes;
  readonly scheduled: readonly ScheduledNode[];
  readonly errorCount: number;
  readonly lastError: string | null;
  readonly nextAt: number | null;
  readonly progress: { readonly completed: number; readonly total: number; readonly percentage: number };
};

type Clock = { readonly now: number; readonly timezone: string };

export function progressSnapshot(state: ExecutionState, nodes: Nodes, clock: Clock): ProgressSnapshot {
  const scheduled = scheduledNodes(state, clock);
  const failures = state.runs.filter(({ status }) => status === "failed");
  const instants = scheduled.flatMap(({ at }) => at ?? []);
  return {
    status: snapshotStatus(state.status),
    currentNode: currentNode(state, nodes),
    nodes,
    scheduled,
    errorCount: Math.max(state.errors?.count ?? 0, failures.length, nodes.failed.length, state.error === null ? 0 : 1),
    lastError: lastError(state, failures),
    nextAt: state.status === "paused" || instants.length === 0 ? null : Math.min(...instants),
    progress: progressOf(state.status, nodes),
  };
}

/**
 * Maps the six statuses of an execution to the five of the monitor view, in which a canceled execution is shown as
 * failed.
 */
export function snapshotStatus(status: ExecutionStatus): SnapshotStatus {
  return status === "canceled" ? "failed" : status;
}

/** Computes the percentage of ended nodes, rounded down. Only a completed execution has 100. */
export function progressOf(
  status: ExecutionStatus,
  { completed, total }: Pick<Nodes, "completed" | "total">,
): ProgressSnapshot["progress"] {
  if (status === "completed") return { completed, total, percentage: 100 };
  const percentage = total === 0 ? 0 : Math.min(99, Math.floor((100 * completed) / total));
  return { completed, total, percentage };
}

/**
 * Counts the nodes that a pause would hold. A node with an attempt in progress is not counted, because a pause lets the
 * attempt end.
 */
export function heldByPause(state: ExecutionState, { open }: Nodes): number {
  const runningNodes = new Set(state.runs.filter(({ status }) => status === "running").map(nodeOfRun));
  return nodesInProgress(state, open).filter((node) => !runningNodes.has(node)).length;
}

/** Returns the nodes that are open, or have a live run or a timer. */
export function nodesInProgress(state: ExecutionState, open: readonly string[]): readonly string[] {
  const live = state.runs.filter(({ status }) => !isFinalRun(status)).map(nodeOfRun);
  return [...new Set([...open, ...live, ...state.timers.map((timer) => timer.state)])];
}

/** Returns the node with a running attempt, otherwise the first node that waits; null if there is none. */
function currentNode(state: ExecutionState, { open }: Nodes): string | null {
  const run = state.runs.find(({ status }) => status === "running") ?? state.runs.find(isInQueue);
  return (run === undefined ? open[0] : nodeOfRun(run)) ?? null;
}

function scheduledNodes(state: ExecutionState, clock: Clock): readonly ScheduledNode[] {
  const isPaused = state.status === "paused";
  const nodes = waitsOf(state, clock.now).flatMap((wait): ScheduledNode[] => {
    if (wait.for === "timer") return [scheduledTimer(wait.timer, isPaused, clock)];
    return wait.for === "run" && wait.stage !== "running" ? [scheduledRun(wait, isPaused, clock)] : [];
  });
  return nodes.toSorted((a, b) => dueAtOf(a) - dueAtOf(b));
}

/** The sort key of a node. Nodes without an instant come last, because they depend on a missing variable. */
function dueAtOf({ at }: ScheduledNode): number {
  return at ?? Number.MAX_SAFE_INTEGER;
}

function scheduledRun(wait: RunWait, isPaused: boolean, clock: Clock): ScheduledNode {
  const { action, type, id } = wait.run;
  const held = isPaused ? "paused" : holdReason(wait, clock);
  return { node: nodeOfRun(wait.run), ...withLocalTime(wait.at, clock), action, type, run: id, held };
}

function scheduledTimer({ state: node, action, at }: Timer, isPaused: boolean, clock: Clock): ScheduledNode {
  const held = isPaused ? "paused" : at === null ? "variable" : null;
  return { node, ...withLocalTime(at, clock), action, type: null, run: null, held };
}

function holdReason({ run, stage }: RunWait, { now }: Clock): string | null {
  if (stage === "held") return "by_operator";
  if (stage === "variable") return "variable";
  if (stage !== "time" && stage !== "slot") return null;
  if (run.held && run.held.until > now) return run.held.reason;
  return stage === "slot" ? "slot" : null;
}

function withLocalTime(at: number | null, { timezone }: Clock): Pick<ScheduledNode, "at" | "localTime"> {
  return { at, localTime: at === null ? null : localTimeOf(at, timezone) };
}

function isInQueue({ status }: Run): boolean {
  return status === "queued";
}

/** Returns the message of the last failure. A retry with success does not remove it. */
function lastError({ error, errors, status, reason }: ExecutionState, failures: readonly Run[]): string | null {
  if (error !== null) return error.message;
  if (errors !== undefined) return errors.last;
  const newest = failures.toSorted((a, b) => Number(a.finishedAt) - Number(b.finishedAt)).at(-1);
  if (newest?.error) return newest.error.message;
  return canceledMessage(status, reason);
}

export function canceledMessage(status: ExecutionStatus, reason: string | null): string | null {
  return status === "canceled" ? `canceled${reason === null ? "" : `: ${reason}`}` : null;
}
