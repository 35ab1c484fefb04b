// Action status: a standalone action has the status of its single run. A run is `scheduled` until it is sent; an
// action's status distinguishes its own delay from waiting in a queue.
import type { Standalone } from "../definition/standalone.ts";
import type { ExecutionRow, RunRow } from "./projection.ts";
import type { Run, RunStatus } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** The requested action, with looked-up facts. */
export type SeenAction = {
  readonly state: ExecutionState;
  readonly standalone: Standalone;
  /** All its attempts, those before a redrive included. */
  readonly maxAttempts: number;
};
export type RetiredAction = { readonly row: ExecutionRow; readonly run: RunRow | null };

export function actionStatus({ runs, updatedAt }: Pick<ExecutionState, "runs" | "updatedAt">): RunStatus {
  const run = actionRun({ runs });
  if (run === undefined) return "queued";
  return run.status === "scheduled" && !isAhead(run, updatedAt) ? "queued" : run.status;
}

/** Its machine starts it once; a retried run stays the same run. */
export function actionRun({ runs }: Pick<ExecutionState, "runs">): Run | undefined {
  return runs[0];
}

/** A run held by a connection was due already. The variable of its delay may still be set. */
function isAhead({ dueAt, held }: Run, now: number): boolean {
  return dueAt === null || (!held && dueAt > now);
}
