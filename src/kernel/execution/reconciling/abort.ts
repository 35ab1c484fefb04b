// Aborted runs: attempts in progress are given up at once. Their runner is told to stop, and their effect is unknown.
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import { letGo } from "../claimant.ts";
import { cancelRun } from "../endings.ts";
import { changeRun, type Step } from "../current-step.ts";

export function abortRuns(step: Step, reason: string): void {
  for (const run of step.state.runs) {
    if (isFinalRun(run.status)) continue;
    if (run.status === "running") abort(step, run, reason);
    else cancelRun(step, run, reason);
  }
}

/** A late success still counts. */
function abort(step: Step, run: Run, reason: string): void {
  const message = `canceled while in progress (attempt ${run.attempt}); whether it took effect is unknown`;
  const error: ActionError = { type: "aborted", message, retryable: false, code: "called_off", effect: "unknown" };
  step.effects.push({ kind: "abort", run: run.id, attempt: run.attempt });
  const attempts = run.attempts.map((each) =>
    each.attempt === run.attempt ? { ...each, endedAt: step.now, error } : each,
  );
  cancelRun(step, changeRun(step, letGo(run), { attempts, error }), reason);
}
