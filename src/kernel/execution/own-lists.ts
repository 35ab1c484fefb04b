// Lists of runs and timers during a step. A list is copied before its first change in the step. Later changes are made
// in the copy, so that their cost does not depend on the list's length. At the end the copy becomes the state's list.
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";

export type OwnRuns = {
  readonly list: Run[];
  /** The index of each run by its id. */
  readonly at: Map<string, number>;
  unfinished: number;
  deadLetters: number;
};
export type OwnTimers = { readonly list: Timer[]; readonly ids: Set<string> };

type Owner = { state: ExecutionState; ownRuns: OwnRuns | null; ownTimers: OwnTimers | null };

export function ownRuns(step: Owner): OwnRuns {
  if (step.ownRuns && step.ownRuns.list === step.state.runs) return step.ownRuns;
  const list = [...step.state.runs];
  const own: OwnRuns = {
    list,
    at: new Map(list.map(({ id }, at) => [id, at])),
    unfinished: list.filter(isUnfinished).length,
    deadLetters: list.filter(({ deadLetter }) => deadLetter).length,
  };
  step.state = { ...step.state, runs: list };
  step.ownRuns = own;
  return own;
}

/** Replaces the run with this id, or appends a new run. */
export function putRun(step: Owner, run: Run): void {
  const own = ownRuns(step);
  const at = own.at.get(run.id) ?? own.list.length;
  const before = own.list[at];
  own.list[at] = run;
  own.at.set(run.id, at);
  own.unfinished += counted(isUnfinished(run)) - counted(before !== undefined && isUnfinished(before));
  own.deadLetters += counted(run.deadLetter) - counted(before?.deadLetter === true);
}

export function ownTimers(step: Owner): OwnTimers {
  if (step.ownTimers && step.ownTimers.list === step.state.timers) return step.ownTimers;
  const list = [...step.state.timers];
  step.state = { ...step.state, timers: list };
  step.ownTimers = { list, ids: new Set(list.map(({ id }) => id)) };
  return step.ownTimers;
}

/** Appends a timer, so that the timer armed last comes last. An earlier timer with the same id is removed. */
export function putTimer(step: Owner, timer: Timer): void {
  dropTimer(step, timer.id);
  const own = ownTimers(step);
  own.list.push(timer);
  own.ids.add(timer.id);
}

export function dropTimer(step: Owner, id: string): void {
  const own = ownTimers(step);
  if (!own.ids.delete(id)) return;
  // The timer to remove is usually near the front, so a linear search is cheap.
  const at = own.list.findIndex((timer) => timer.id === id);
  own.list.splice(at, 1);
}

/**
 * Makes the next change copy the lists again. Called when code outside the step has read the lists and may keep them.
 */
export function shareLists(step: Owner): void {
  step.ownRuns = null;
  step.ownTimers = null;
}

function isUnfinished({ status }: Run): boolean {
  return !isFinalRun(status);
}

function counted(is: boolean): number {
  return is ? 1 : 0;
}
