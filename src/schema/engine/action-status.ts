// Action status: a standalone action has the status of its single run, except that a run is `queued` instead of
// `scheduled` if only its queue delays it.
import type { Standalone } from "../definition/standalone.ts";
import type { ExecutionRow, RunRow } from "./projection.ts";
import type { Run, RunStatus } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** The execution of a standalone action, with the facts that the API shows. */
export type SeenAction = {
  readonly state: ExecutionState;
  readonly standalone: Standalone;
  /** The maximum of attempts, including the attempts before a retry by an operator. */
  readonly maxAttempts: number;
};
export type RetiredAction = { readonly row: ExecutionRow; readonly run: RunRow | null };

export function actionStatus({ runs, updatedAt }: Pick<ExecutionState, "runs" | "updatedAt">): RunStatus {
  const run = actionRun({ runs });
  if (run === undefined) return "queued";
  return run.status === "scheduled" && !isAhead(run, updatedAt) ? "queued" : run.status;
}

/** Returns the action's single run. A retried run stays the same run. */
export function actionRun({ runs }: Pick<ExecutionState, "runs">): Run | undefined {
  return runs[0];
}

/** Returns true if the run waits for its own delay. A held run was due already, and an unset date counts as ahead. */
function isAhead({ dueAt, held }: Run, now: number): boolean {
  return dueAt === null || (!held && dueAt > now);
}
