// Runs and timers as a step changes them: in a copy of the list that nobody else has yet, in place, so that what one change
// costs does not hang on how many there are. The copy is made at the first change, and is the state's list from then on.
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";

export type OwnRuns = {
  readonly list: Run[];
  /** Where in the list a run is, by its id. */
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

/** The run with this id is this one now; a new one comes last. */
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

/** The timer armed last comes last. */
export function putTimer(step: Owner, timer: Timer): void {
  dropTimer(step, timer.id);
  const own = ownTimers(step);
  own.list.push(timer);
  own.ids.add(timer.id);
}

export function dropTimer(step: Owner, id: string): void {
  const own = ownTimers(step);
  if (!own.ids.delete(id)) return;
  // Those that go first were mostly armed first: it is found at once.
  const at = own.list.findIndex((timer) => timer.id === id);
  own.list.splice(at, 1);
}

/** Somebody has seen the lists and goes by what is in them: the next change makes copies anew. */
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
