// An action on its own has the status of its one run. A run says `scheduled` until it is sent, whatever it waits for;
// whoever reads about an action wants to know whether that is its own delay, or the line it stands in.
import type { Standalone } from "../definition/standalone.ts";
import type { ExecutionRow, RunRow } from "./projection.ts";
import type { Run, RunStatus } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** What is asked for, and what was looked up about it. */
export type SeenAction = {
  readonly state: ExecutionState;
  readonly standalone: Standalone;
  /** All its tries, those before a redrive included. */
  readonly maxAttempts: number;
};
export type RetiredAction = { readonly row: ExecutionRow; readonly run: RunRow | null };

export function actionStatus({ runs, updatedAt }: Pick<ExecutionState, "runs" | "updatedAt">): RunStatus {
  const run = actionRun({ runs });
  if (run === undefined) return "queued";
  return run.status === "scheduled" && !isAhead(run, updatedAt) ? "queued" : run.status;
}

/** The machine around it starts it once; sent again, it stays the same run. */
export function actionRun({ runs }: Pick<ExecutionState, "runs">): Run | undefined {
  return runs[0];
}

/** Held by a connection, it has been due already. A variable that its delay hangs on may yet come. */
function isAhead({ dueAt, held }: Run, now: number): boolean {
  return dueAt === null || (!held && dueAt > now);
}
