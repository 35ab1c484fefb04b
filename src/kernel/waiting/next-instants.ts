// The next instants of an execution: when its alarm must fire, and when clients see the next activity. Each is the
// earliest instant of its waits.
import { nodeOfRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { earliest, waitsOf, type ExecutionWait } from "./waits.ts";

/**
 * When the execution must be stepped next; null if it never must. An instant in the past means immediately. The
 * deletion of history is no wake while the execution has other waits.
 */
export function nextWake(state: ExecutionState, now: number): number | null {
  const all = waitsOf(state, now);
  const waits = state.status === "paused" ? all.filter(continuesInPause) : all;
  return earliest(waits.map(({ until }) => until)) ?? state.retainUntil;
}

/** Whether the wait continues during a pause. Deadlines of attempts, messages and projections to lists do. */
function continuesInPause(wait: ExecutionWait): boolean {
  return wait.for === "run" ? wait.stage === "running" : wait.for === "message" || wait.for === "lists";
}

/** Whether an alarm can be armed for the next wake. */
export function canArmWake(state: ExecutionState, now: number): boolean {
  const at = nextWake(state, now);
  return at === null || Number.isFinite(at);
}

export type NextActivity = {
  /** The instant of the activity; for a run that was sent, the instant of sending. Epoch ms. */
  readonly at: number;
  /** The path of the state, or the name of the node. If the run belongs to neither, the id of its action. */
  readonly node: string;
};

/**
 * The next activity that clients see: the earliest of the execution's runs and timers. null if no activity is planned.
 */
export function nextActivity(state: ExecutionState): NextActivity | null {
  return plannedWaits(state).reduce<NextActivity | null>((first, wait) => {
    const next = activityOf(wait);
    if (next === null) return first;
    return first !== null && first.at <= next.at ? first : next;
  }, null);
}

/** The activity of one wait. null if the instant depends on a missing variable or on an operator. */
function activityOf(wait: ExecutionWait): NextActivity | null {
  if (wait.for === "timer") return wait.until === null ? null : { at: wait.until, node: wait.timer.state };
  return wait.for !== "run" || wait.at === null ? null : { at: wait.at, node: nodeOfRun(wait.run) };
}

/** The next known instant at which the execution changes automatically. The object's own alarm may fire earlier. */
export function nextAutomaticChange(state: ExecutionState): number | null {
  return earliest(plannedWaits(state).map(automaticChangeOf));
}

/**
 * The instant of one wait; for a run in progress, its deadline. null for a run that waits for its claim, because the
 * instant of a claim is not known.
 */
function automaticChangeOf(wait: ExecutionWait): number | null {
  if (wait.for === "timer" || wait.for === "task" || wait.for === "tick") return wait.until;
  if (wait.for !== "run" || wait.stage === "queued") return null;
  return wait.stage === "running" ? wait.run.deadlineAt : wait.at;
}

function plannedWaits(state: ExecutionState): readonly ExecutionWait[] {
  const { status, updatedAt } = state;
  return isFinalStatus(status) || status === "paused" ? [] : waitsOf(state, updatedAt);
}
