// The progress snapshot of an execution, in the terms of the monitor view: its nodes, planned runs and failures.
// Journeys use the marks of their nodes; machines use their states. It decides nothing.
import { waitsOf, type RunWait } from "#kernel/waiting/waits.ts";
import { isFinalRun, nodeOfRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState, ExecutionStatus, Timer } from "#schema/engine/state.ts";
import { clockTime } from "./ladder.ts";

export type StandingStatus = "active" | "paused" | "completed" | "failed" | "waiting";

/** Nodes by progress, each list in order; the number of nodes, and how many have ended. */
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
  /** null if it depends on a missing variable. */
  readonly at: number | null;
  /** The time in the zone of the definition. */
  readonly localTime: string | null;
  /** null if the node only waits. */
  readonly action: string | null;
  readonly type: string | null;
  readonly run: string | null;
  /** Why it does not start: a hold's reason, `paused`, `by_hand`, `variable` or `slot`; null if nothing holds it. */
  readonly held: string | null;
};

export type Standing = {
  readonly status: StandingStatus;
  readonly currentNode: string | null;
  readonly nodes: Nodes;
  readonly scheduled: readonly ScheduledNode[];
  readonly errorCount: number;
  readonly lastError: string | null;
  readonly nextAt: number | null;
  readonly progress: { readonly completed: number; readonly total: number; readonly percentage: number };
};

type Moment = { readonly now: number; readonly timezone: string };

export function standingOf(state: ExecutionState, nodes: Nodes, moment: Moment): Standing {
  const scheduled = scheduledNodes(state, moment);
  const failures = state.runs.filter(({ status }) => status === "failed");
  const instants = scheduled.flatMap(({ at }) => at ?? []);
  return {
    status: standingStatus(state.status),
    currentNode: currentNode(state, nodes),
    nodes,
    scheduled,
    errorCount: Math.max(failures.length, nodes.failed.length),
    lastError: lastError(state, failures),
    nextAt: state.status === "paused" || instants.length === 0 ? null : Math.min(...instants),
    progress: progressOf(state.status, nodes),
  };
}

/** Five values for six statuses: a canceled execution counts as failed. */
export function standingStatus(status: ExecutionStatus): StandingStatus {
  return status === "canceled" ? "failed" : status;
}

/** Rounded down; 100 only after completion. */
export function progressOf(
  status: ExecutionStatus,
  { completed, total }: Pick<Nodes, "completed" | "total">,
): Standing["progress"] {
  if (status === "completed") return { completed, total, percentage: 100 };
  const percentage = total === 0 ? 0 : Math.min(99, Math.floor((100 * completed) / total));
  return { completed, total, percentage };
}

/** Nodes that a pause holds: reached or scheduled ones, except those with an attempt in progress, which will finish. */
export function heldByPause(state: ExecutionState, { open }: Nodes): number {
  const underWay = new Set(state.runs.filter(({ status }) => status === "running").map(nodeOfRun));
  return nodesInProgress(state, open).filter((node) => !underWay.has(node)).length;
}

/** Nodes in progress. */
export function nodesInProgress(state: ExecutionState, open: readonly string[]): readonly string[] {
  const live = state.runs.filter(({ status }) => !isFinalRun(status)).map(nodeOfRun);
  return [...new Set([...open, ...live, ...state.timers.map((timer) => timer.state)])];
}

/** The node that is running, or the first of those that wait. */
function currentNode(state: ExecutionState, { open }: Nodes): string | null {
  const acting = state.runs.find(({ status }) => status === "running") ?? state.runs.find(isInQueue);
  return (acting === undefined ? open[0] : nodeOfRun(acting)) ?? null;
}

function scheduledNodes(state: ExecutionState, moment: Moment): readonly ScheduledNode[] {
  const isPaused = state.status === "paused";
  const nodes = waitsOf(state, moment.now).flatMap((wait): ScheduledNode[] => {
    if (wait.for === "timer") return [ofTimer(wait.timer, isPaused, moment)];
    return wait.for === "run" && wait.stage !== "running" ? [ofRun(wait, isPaused, moment)] : [];
  });
  return nodes.toSorted((a, b) => whenOf(a) - whenOf(b));
}

/** Nodes that depend on a missing variable come last. */
function whenOf({ at }: ScheduledNode): number {
  return at ?? Number.MAX_SAFE_INTEGER;
}

function ofRun(wait: RunWait, isPaused: boolean, moment: Moment): ScheduledNode {
  const { action, type, id } = wait.run;
  const held = isPaused ? "paused" : heldBecause(wait, moment);
  return { node: nodeOfRun(wait.run), ...clocked(wait.at, moment), action, type, run: id, held };
}

function ofTimer({ state: node, action, at }: Timer, isPaused: boolean, moment: Moment): ScheduledNode {
  const held = isPaused ? "paused" : at === null ? "variable" : null;
  return { node, ...clocked(at, moment), action, type: null, run: null, held };
}

function heldBecause({ run, stage }: RunWait, { now }: Moment): string | null {
  if (stage === "held") return "by_hand";
  if (stage === "variable") return "variable";
  if (stage !== "time" && stage !== "slot") return null;
  if (run.held && run.held.until > now) return run.held.reason;
  return stage === "slot" ? "slot" : null;
}

function clocked(at: number | null, { timezone }: Moment): Pick<ScheduledNode, "at" | "localTime"> {
  return { at, localTime: at === null ? null : clockTime(at, timezone) };
}

function isInQueue({ status }: Run): boolean {
  return status === "queued";
}

function lastError({ error, status, reason }: ExecutionState, failures: readonly Run[]): string | null {
  if (error !== null) return error.message;
  const newest = failures.toSorted((a, b) => Number(a.finishedAt) - Number(b.finishedAt)).at(-1);
  if (newest?.error) return newest.error.message;
  return status === "canceled" ? `canceled${reason === null ? "" : `: ${reason}`}` : null;
}
