// Projected runs: which finished runs the catalog has unchanged. Only an operator changes a finished run's dead letter,
// so it is not sent with every rest of its execution. Cached for all cells of an isolate: a forgotten one is sent
// again, which changes nothing.
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import { isFinalRun, isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { PROJECTED_RUNS_CACHED_CHARS, PROJECTED_RUNS_WEIGHT_MIN } from "#schema/limits/projection-delays.ts";
import { openWeightedCache } from "../weighted-cache.ts";

export type ProjectedRuns = {
  /** Runs that the catalog may not have unchanged. */
  readonly untold: (state: ExecutionState) => readonly Run[];
  /** The catalog has all of it. */
  readonly note: (state: ExecutionState) => void;
};

/** The marks of an execution's runs in one text: a Map for each of very many would be most of their cost. */
const told = openWeightedCache<string>(PROJECTED_RUNS_CACHED_CHARS);
let openings = 0;

export function openProjectedRuns(): ProjectedRuns {
  // An object that is loaded again does not use what an earlier instance has sent.
  openings += 1;
  const mine = `${openings}/`;
  return {
    untold: ({ id, runs }) => {
      const marks = told.get(mine + id);
      return marks === undefined ? runs : runs.filter((run) => !marks.includes(markOf(run)));
    },
    note: (state) => {
      const isOver = state.finishedAt !== null && !isUnresolved(state);
      const marks = isOver ? "" : state.runs.filter(isDone).map(markOf).join("");
      // Most of very many sleeping executions have none: nothing is cached for them.
      if (marks === "") told.forget(mine + state.id);
      else told.keep(mine + state.id, marks, marks.length + PROJECTED_RUNS_WEIGHT_MIN);
    },
  };
}

function isDone({ status }: Run): boolean {
  return isFinalRun(status);
}

/** Changes with everything that happens to a finished run. */
function markOf(run: Run): string {
  const { id, finishedAt, deadLetter, redriven } = run;
  return `|${id}/${finishedAt}/${deadLetter}/${redriven?.times ?? 0}${isHandled(run) ? "/handled" : ""}|`;
}
