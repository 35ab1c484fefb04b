// What comes next of an execution: when its alarm must go off, and what clients see of it. Both are the earliest of its waits.
import { nodeOfRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { earliest, waitsOf, type ExecutionWait } from "./waits.ts";

/** null: never. May lie in the past: then at once. History is kept as long as anything else is left to do. */
export function nextWake(state: ExecutionState, now: number): number | null {
  const all = waitsOf(state, now);
  const waits = state.status === "paused" ? all.filter(goesOnInPause) : all;
  return earliest(waits.map(({ until }) => until)) ?? state.retainUntil;
}

/** Deadlines of attempts, messages and lists. */
function goesOnInPause(wait: ExecutionWait): boolean {
  return wait.for === "run" ? wait.stage === "running" : wait.for === "message" || wait.for === "lists";
}

/** An alarm can be armed for it. */
export function isWakeSound(state: ExecutionState, now: number): boolean {
  const at = nextWake(state, now);
  return at === null || Number.isFinite(at);
}

export type NextUp = {
  /** Of what is under way already: since when it is. */
  readonly at: number;
  /** A state's path, or a node's name; an action's id where it belongs to neither. */
  readonly node: string;
};

/** The earliest of its runs and timers; null: nothing is planned. */
export function nextUp(state: ExecutionState): NextUp | null {
  return plannedWaits(state).reduce<NextUp | null>((first, wait) => {
    const next = planOf(wait);
    if (next === null) return first;
    return first !== null && first.at <= next.at ? first : next;
  }, null);
}

/** null: it depends on a variable that is missing, or on an operator. */
function planOf(wait: ExecutionWait): NextUp | null {
  if (wait.for === "timer") return wait.until === null ? null : { at: wait.until, node: wait.timer.state };
  return wait.for !== "run" || wait.at === null ? null : { at: wait.at, node: nodeOfRun(wait.run) };
}

/** When something happens automatically, as far as it is known. The object's own alarm may be earlier. */
export function movesAt(state: ExecutionState): number | null {
  return earliest(plannedWaits(state).map(moveOf));
}

/** Of a run under way its deadline; of one that waits for its claim, nothing is known. */
function moveOf(wait: ExecutionWait): number | null {
  if (wait.for === "timer" || wait.for === "task" || wait.for === "tick") return wait.until;
  if (wait.for !== "run" || wait.stage === "queued") return null;
  return wait.stage === "running" ? wait.run.deadlineAt : wait.at;
}

function plannedWaits(state: ExecutionState): readonly ExecutionWait[] {
  const { status, updatedAt } = state;
  return isFinalStatus(status) || status === "paused" ? [] : waitsOf(state, updatedAt);
}
