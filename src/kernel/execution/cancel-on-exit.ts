// Exit of a state: decides which work ends with the state. Runs that have not started, and open tasks, end unless their
// action has `cancelOnExit: false`. Schedules always end. The program itself disarms the timers of `after`.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Run } from "#schema/engine/run.ts";
import { actionOf, type Step } from "./current-step.ts";
import { cancelRuns } from "./run-endings.ts";
import { disarmTimers } from "./timers.ts";

/** Cancels the runs and schedules of a state that is left. Attempts in flight finish and are not retried. */
export function cancelWorkOfState(step: Step, state: string): void {
  cancelRuns(step, (run) => run.boundTo === state && isCanceledOnExit(actionOf(step, run.action)), "state_left");
  disarmTimers(step, (timer) => timer.kind !== "cron" || timer.state !== state);
}

/** The state whose exit withdraws the task of this run; null if no state's exit withdraws it. */
export function stateWithdrawingTask(step: Step, run: Run): string | null {
  return isCanceledOnExit(actionOf(step, run.action)) ? run.boundTo : null;
}

function isCanceledOnExit({ cancelOnExit = true }: ProgramAction): boolean {
  return cancelOnExit;
}
