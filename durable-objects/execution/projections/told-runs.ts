// Which finished runs the catalog has as they are: only what a person does with a dead letter changes them, so they are not
// told again with every rest of their execution. Of those lately told, for all cells of an isolate: what has been forgotten is
// told once more, and changes nothing.
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import { isFinalRun, isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { TOLD_RUNS_CHARACTERS, TOLD_RUNS_CHARACTERS_LEAST } from "#schema/limits/objects.ts";
import { openWeighed } from "../weighed.ts";

export type ToldRuns = {
  /** Those that the catalog may not have as they are. */
  readonly untold: (state: ExecutionState) => readonly Run[];
  /** The catalog has been told all of it. */
  readonly note: (state: ExecutionState) => void;
};

/** The marks of an execution's runs in one text: a Map for each of very many would be most of what they cost. */
const told = openWeighed<string>(TOLD_RUNS_CHARACTERS);
let openings = 0;

export function openToldRuns(): ToldRuns {
  // An object that comes back knows nothing of what its earlier life has told.
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
      // Of very many that sleep most have none: nothing is kept of them.
      if (marks === "") told.forget(mine + state.id);
      else told.keep(mine + state.id, marks, marks.length + TOLD_RUNS_CHARACTERS_LEAST);
    },
  };
}

function isDone({ status }: Run): boolean {
  return isFinalRun(status);
}

/** Another one after everything that happens to a finished run. */
function markOf(run: Run): string {
  const { id, finishedAt, deadLetter, redriven } = run;
  return `|${id}/${finishedAt}/${deadLetter}/${redriven?.times ?? 0}${isHandled(run) ? "/handled" : ""}|`;
}
