// What an execution will do next by itself, and when: the earliest of its runs and timers. What somebody else has to do first is
// not planned.
import { isFinalRun, type Run } from "./run.ts";
import { isFinalStatus, type ExecutionState } from "./state.ts";

export type NextUp = {
  /** Of what is under way already: since when it is. */
  readonly at: number;
  /** A state's path, or a node's name; an action's id where it belongs to neither. */
  readonly node: string;
};

/** null: nothing is planned. */
export function nextUp({ status, runs, timers }: ExecutionState): NextUp | null {
  if (isFinalStatus(status) || status === "paused") return null;
  const planned = [
    ...runs.filter((run) => !isFinalRun(run.status)).map((run) => planOf(run.dueAt ?? run.sentAt, nodeOf(run))),
    ...timers.map(({ at, state }) => planOf(at, state)),
  ].flat();
  return planned.reduce<NextUp | null>((first, each) => (first !== null && first.at <= each.at ? first : each), null);
}

/** Nothing is planned of what hangs on a variable that is not there yet. */
function planOf(at: number | null, node: string): readonly NextUp[] {
  return at === null ? [] : [{ at, node }];
}

function nodeOf({ boundTo, action }: Run): string {
  return boundTo ?? action;
}
