// Next step: what an execution will do next automatically, and when: the earliest of its runs and timers. Steps that
// wait for an outside action are not included.
import { isFinalRun, type Run } from "./run.ts";
import { isFinalStatus, type ExecutionState } from "./state.ts";

export type NextUp = {
  /** For work in progress: since when. */
  readonly at: number;
  /** A state's path, or a node's name; an action's id if it belongs to neither. */
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

/** Empty if it depends on a variable that is not set yet. */
function planOf(at: number | null, node: string): readonly NextUp[] {
  return at === null ? [] : [{ at, node }];
}

function nodeOf({ boundTo, action }: Run): string {
  return boundTo ?? action;
}
