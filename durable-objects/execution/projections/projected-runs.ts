// Projected runs: which finished runs the catalog already has. Only an operator changes a finished run, so it is not
// sent with each projection of its execution. The cache is shared by all cells of an isolate. A run that is evicted
// from it is sent again, which is idempotent.
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import { isFinalRun, isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { PROJECTED_RUNS_CACHED_CHARS, PROJECTED_RUNS_WEIGHT_MIN } from "#schema/limits/executions.ts";
import { openWeightedCache } from "../weighted-cache.ts";

export type ProjectedRuns = {
  /** Returns the runs that the catalog may not have in their current form. */
  readonly unprojected: (state: ExecutionState) => readonly Run[];
  /** Records that the catalog has all runs of this state. */
  readonly noteProjected: (state: ExecutionState) => void;
};

/** The marks of each execution's projected runs, joined in one text, which takes less memory than a set. */
const projectedMarks = openWeightedCache<string>(PROJECTED_RUNS_CACHED_CHARS);
let instances = 0;

export function openProjectedRuns(): ProjectedRuns {
  // Each instance has its own prefix, because a restarted object cannot rely on the sends of an earlier instance.
  instances += 1;
  const prefix = `${instances}/`;
  return {
    unprojected: ({ id, runs }) => {
      const marks = projectedMarks.get(prefix + id);
      return marks === undefined ? runs : runs.filter((run) => !marks.includes(markOf(run)));
    },
    noteProjected: (state) => {
      const needsNoMore = state.finishedAt !== null && !isUnresolved(state);
      const marks = needsNoMore ? "" : state.runs.filter(isFinished).map(markOf).join("");
      // An execution without finished runs is not cached, because there may be very many of these executions.
      if (marks === "") projectedMarks.delete(prefix + state.id);
      else projectedMarks.set(prefix + state.id, marks, marks.length + PROJECTED_RUNS_WEIGHT_MIN);
    },
  };
}

function isFinished({ status }: Run): boolean {
  return isFinalRun(status);
}

/** Returns a text that differs after each change of a finished run. */
function markOf(run: Run): string {
  const { id, finishedAt, deadLetter, redriven } = run;
  return `|${id}/${finishedAt}/${deadLetter}/${redriven?.times ?? 0}${isHandled(run) ? "/handled" : ""}|`;
}
