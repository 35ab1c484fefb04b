// The verb cancel-action: gives up an action that has not ended, and lets the execution continue as after a skip. A call in
// flight is aborted without waiting for its response, so its effect is unknown.
import type { Command } from "#schema/engine/input.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import { NODES_NAMED_MAX } from "#schema/limits/definition-sizes.ts";
import { assert } from "../../assert.ts";
import type { RefusalOrNull } from "../control.ts";
import { addEntry, changeRun, changeState, type Step } from "../current-step.ts";
import { abortRun, cancelRun, sendResultEvent, statusOf } from "../run-endings.ts";
import { withdrawTasks } from "../tasks/open-tasks.ts";
import { finishSkip } from "./outcomes.ts";
import { findRun, hintAfterEnd, notApplicable, type FoundRun } from "./target.ts";

type CancelAction = Extract<Command, { kind: "cancelAction" }>;

const CANCELED_BY_OPERATOR = "canceled_by_operator";

export function cancelAction(step: Step, input: CancelAction): RefusalOrNull {
  const found = findUnfinished(step, input.target);
  if (!found.ok) return found;
  const { run } = found;
  const { result, actor, reason } = input;
  const { id, action } = run;
  const withResult = result === undefined ? {} : { result };
  addEntry(step, { kind: "action_canceled", run: id, action, ...withResult, actor, reason });
  endRun(step, run);
  withdrawTasks(step, (task) => task.run === id, CANCELED_BY_OPERATOR);
  // The program no longer waits for a run whose state was left, so such a run sends no event.
  if (!run.unwanted) sendEnd(step, run, result);
  return finishSkip(step);
}

/** Ends the run without waiting for its attempt. */
function endRun(step: Step, run: Run): void {
  if (run.status === "running") abortRun(step, run, CANCELED_BY_OPERATOR);
  else cancelRun(step, run, CANCELED_BY_OPERATOR);
}

/** Sends the end of the run to the program. With a result, the run counts as done. */
function sendEnd(step: Step, { id, claimedAt }: Run, result: CancelAction["result"]): void {
  const canceled = step.state.runs.find((each) => each.id === id);
  assert(canceled, "a canceled run stays in the state");
  if (result === undefined) {
    const errorMessage = `canceled: ${canceled.error?.message ?? CANCELED_BY_OPERATOR}`;
    changeState(step, { lastAction: statusOf(canceled, claimedAt, { errorMessage }) });
    return sendResultEvent(step, canceled, "skipped", { reason: CANCELED_BY_OPERATOR });
  }
  const done = changeRun(step, canceled, { status: "skipped", result, assumed: true });
  changeState(step, { lastAction: statusOf(done, claimedAt, { succeeded: true }) });
  sendResultEvent(step, done, "ok", { result });
}

/** Finds the run that the request names. Without a target, this is the only run that has not ended. */
function findUnfinished(step: Step, target: CancelAction["target"]): FoundRun {
  if (target !== null && "run" in target) {
    const found = findRun(step, target.run);
    if (!found.ok || !isFinalRun(found.run.status)) return found;
    const { id, status } = found.run;
    return notApplicable(
      `run ${id} has the status ${status}, so its action cannot be canceled`,
      hintAfterEnd(found.run),
    );
  }
  const action = target?.action;
  const open = step.state.runs.filter((run) => !isFinalRun(run.status) && run.action === (action ?? run.action));
  const [run] = open;
  if (run === undefined) return refuseIdle(action);
  if (open.length === 1) return { ok: true, run };
  const ids = open.slice(0, NODES_NAMED_MAX).map(({ id }) => id);
  return notApplicable(`${open.length} runs have not ended: ${ids.join(", ")}`, 'Name one of them in "run".');
}

function refuseIdle(action: string | undefined) {
  const what = action === undefined ? "the execution" : `the action ${action}`;
  return notApplicable(
    `${what} has no run that has not ended`,
    "To end a wait of a node, skip or complete the node. GET /v1/executions/{id}/runs lists the runs.",
  );
}
