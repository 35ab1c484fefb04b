// Action status: a standalone action has the status of its single run, except that a run is `queued` instead of
// `scheduled` if only its queue delays it.
import type { Standalone } from "../definition/standalone.ts";
import type { ExecutionRow, RunRow } from "./projection.ts";
import type { Run, RunStatus } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** A standalone action's execution, with the facts that the API shows of the action. */
export type SeenAction = {
  readonly state: ExecutionState;
  readonly standalone: Standalone;
  /** The maximum of attempts. It includes the attempts that were made before an operator retried the dead letter. */
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

/** Returns true if the run waits for its own delay. A held run was due already. A run without a date still waits. */
function isAhead({ dueAt, held }: Run, now: number): boolean {
  return dueAt === null || (!held && dueAt > now);
}
