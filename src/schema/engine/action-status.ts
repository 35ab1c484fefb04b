// Action status: a standalone action has the status of its single run, with one exception. A run that waits only for
// its queue is shown as `queued` instead of `scheduled`.
import type { Standalone } from "../definition/standalone.ts";
import type { ExecutionRow, RunRow } from "./projection.ts";
import type { Run, RunStatus } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** A standalone action's execution, with additional facts that the API shows. */
export type SeenAction = {
  readonly state: ExecutionState;
  readonly standalone: Standalone;
  /** The maximum number of attempts, including the attempts before an operator retried the dead letter. */
  readonly maxAttempts: number;
};
export type RetiredAction = { readonly row: ExecutionRow; readonly run: RunRow | null };

export function actionStatus({ runs, updatedAt }: Pick<ExecutionState, "runs" | "updatedAt">): RunStatus {
  const run = actionRun({ runs });
  if (run === undefined) return "queued";
  return run.status === "scheduled" && !isAhead(run, updatedAt) ? "queued" : run.status;
}

/** Returns the action's single run. A retry continues this run and creates no other. */
export function actionRun({ runs }: Pick<ExecutionState, "runs">): Run | undefined {
  return runs[0];
}

/**
 * Returns true if the run waits for its own delay. A held run does not, because it was due before. A run whose date is
 * unknown does.
 */
function isAhead({ dueAt, held }: Run, now: number): boolean {
  return dueAt === null || (!held && dueAt > now);
}
