// The next instants of an execution: when its alarm must fire, and when clients see its next activity. Each is the
// earliest instant among certain waits.
import { nodeOfRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { waitsForDecision } from "./deadlines.ts";
import { earliest, waitsOf, type ExecutionWait } from "./waits.ts";

/**
 * The instant at which the execution must be stepped next; null if there is none. If the instant is past, the step is
 * due now. The deletion of history is not considered while the execution has other waits.
 */
export function nextWake(state: ExecutionState, now: number): number | null {
  const all = waitsOf(state, now);
  const waits = state.status === "paused" ? all.filter((wait) => continuesInPause(state, wait)) : all;
  return earliest(waits.map(({ until }) => until)) ?? state.retainUntil;
}

/**
 * Whether the wait continues during a pause. This is true for deadlines of attempts, messages, projections to lists and
 * places at limits on starts, and for dead letters of a journey that their failure has paused.
 */
function continuesInPause(state: ExecutionState, wait: ExecutionWait): boolean {
  if (wait.for === "person") return waitsForDecision(state);
  return wait.for === "run"
    ? wait.stage === "running"
    : wait.for === "message" || wait.for === "lists" || wait.for === "place";
}

/** Whether an alarm can be armed for the next wake, which must have a finite instant. True if there is no next wake. */
export function canArmWake(state: ExecutionState, now: number): boolean {
  const at = nextWake(state, now);
  return at === null || Number.isFinite(at);
}

export type NextActivity = {
  /** The instant of the activity in epoch ms. For a run that was sent to a consumer, the instant of sending. */
  readonly at: number;
  /**
   * The path of the state or the name of the node to which the activity belongs. If it belongs to neither, the id of
   * the run's action.
   */
  readonly node: string;
};

/** The next activity that clients see: the earliest of the runs and timers. null if there is none with an instant. */
export function nextActivity(state: ExecutionState): NextActivity | null {
  return plannedWaits(state).reduce<NextActivity | null>((first, wait) => {
    const next = activityOf(wait);
    if (next === null) return first;
    return first !== null && first.at <= next.at ? first : next;
  }, null);
}

/**
 * The activity of one wait. null if its instant is unknown, because it depends on a missing variable or on an operator.
 */
function activityOf(wait: ExecutionWait): NextActivity | null {
  if (wait.for === "timer") return wait.until === null ? null : { at: wait.until, node: wait.timer.state };
  return wait.for !== "run" || wait.at === null ? null : { at: wait.at, node: nodeOfRun(wait.run) };
}

/**
 * The next known instant at which the execution changes without an input from outside. The object's alarm may fire
 * earlier than that.
 */
export function nextAutomaticChange(state: ExecutionState): number | null {
  return earliest(plannedWaits(state).map(automaticChangeOf));
}

/**
 * The instant of one wait; for a run in progress, its deadline. null for a run that waits for its claim, because a
 * consumer may claim it at any time.
 */
function automaticChangeOf(wait: ExecutionWait): number | null {
  if (wait.for === "timer" || wait.for === "task" || wait.for === "tick" || wait.for === "place") return wait.until;
  if (wait.for !== "run" || wait.stage === "queued") return null;
  return wait.stage === "running" ? wait.run.deadlineAt : wait.at;
}

function plannedWaits(state: ExecutionState): readonly ExecutionWait[] {
  const { status, updatedAt } = state;
  return isFinalStatus(status) || status === "paused" ? [] : waitsOf(state, updatedAt);
}
