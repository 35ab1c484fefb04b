// The next instants of an execution: when its alarm must fire, and the next activity that clients see. Each is the
// earliest of its waits.
import { nodeOfRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { earliest, waitsOf, type ExecutionWait } from "./waits.ts";

/**
 * When the execution must be stepped next; null: never. An instant in the past means at once. History is kept while the
 * execution has other waits.
 */
export function nextWake(state: ExecutionState, now: number): number | null {
  const all = waitsOf(state, now);
  const waits = state.status === "paused" ? all.filter(continuesInPause) : all;
  return earliest(waits.map(({ until }) => until)) ?? state.retainUntil;
}

/** Whether the wait continues in a pause: deadlines of attempts, messages and lists. */
function continuesInPause(wait: ExecutionWait): boolean {
  return wait.for === "run" ? wait.stage === "running" : wait.for === "message" || wait.for === "lists";
}

/** Whether the next wake is an instant for which an alarm can be armed. */
export function canArmWake(state: ExecutionState, now: number): boolean {
  const at = nextWake(state, now);
  return at === null || Number.isFinite(at);
}

export type NextActivity = {
  /** When it happens; for a run that was sent, when it was sent. Epoch ms. */
  readonly at: number;
  /** A state's path or a node's name; an action's id if the run belongs to neither. */
  readonly node: string;
};

/** The next activity that clients see: the earliest of the execution's runs and timers. null: nothing is planned. */
export function nextActivity(state: ExecutionState): NextActivity | null {
  return plannedWaits(state).reduce<NextActivity | null>((first, wait) => {
    const next = activityOf(wait);
    if (next === null) return first;
    return first !== null && first.at <= next.at ? first : next;
  }, null);
}

/** The activity of one wait. null if the wait depends on a missing variable or on an operator. */
function activityOf(wait: ExecutionWait): NextActivity | null {
  if (wait.for === "timer") return wait.until === null ? null : { at: wait.until, node: wait.timer.state };
  return wait.for !== "run" || wait.at === null ? null : { at: wait.at, node: nodeOfRun(wait.run) };
}

/**
 * The next instant at which the execution changes automatically, as far as it is known. The object's own alarm may be
 * earlier.
 */
export function nextAutomaticChange(state: ExecutionState): number | null {
  return earliest(plannedWaits(state).map(automaticChangeOf));
}

/** The instant of one wait: for a run in progress its deadline. null for a run that waits for its claim. */
function automaticChangeOf(wait: ExecutionWait): number | null {
  if (wait.for === "timer" || wait.for === "task" || wait.for === "tick") return wait.until;
  if (wait.for !== "run" || wait.stage === "queued") return null;
  return wait.stage === "running" ? wait.run.deadlineAt : wait.at;
}

function plannedWaits(state: ExecutionState): readonly ExecutionWait[] {
  const { status, updatedAt } = state;
  return isFinalStatus(status) || status === "paused" ? [] : waitsOf(state, updatedAt);
}
