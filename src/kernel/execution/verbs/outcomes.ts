// Verbs of operators that decide how a run or a node ends: skip and complete.
import type { OwnTask } from "#schema/engine/own-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Command } from "#schema/engine/input.ts";
import { isFinalRun, isHandled, waitsForPerson, type Run } from "#schema/engine/run.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { TASK_SOURCE, taskEventId } from "#schema/task.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { wouldBeStuck } from "../conclude.ts";
import { refuseFault, type RefusalOrNull } from "../control.ts";
import { acceptEvent } from "../early-events.ts";
import { changeState, changeRun, addEntry, type Step, runOf } from "../current-step.ts";
import { processPending } from "../drive.ts";
import { sendResultEvent, statusOf } from "../run-endings.ts";
import { withoutHandling } from "../retries/handled.ts";
import { openTasks, withdrawTasks } from "../tasks/open-tasks.ts";
import { hintAfterEnd, findRun, refuseInFlight, awaitedRunOf, controlNode, notApplicable } from "./target.ts";

type Skip = Extract<Command, { kind: "skip" }>;

export const BY_OPERATOR = "by_operator";

export function skip(step: Step, input: Skip): RefusalOrNull {
  const { target } = input;
  if ("run" in target) {
    const found = findRun(step, target.run);
    return found.ok ? skipOne(step, found.run, input) : found;
  }
  const { node } = target;
  const busy = step.state.runs.find(({ action, status }) => action === node && status === "running");
  if (busy) return refuseInFlight(busy, "skipped");
  const controlled = controlNode(step, { kind: "skip", node, hasResult: input.result !== undefined }, () =>
    recordSkip(step, input, { node }),
  );
  if (controlled === "run") return skipNewest(step, node, input);
  if (controlled !== null) return controlled;
  skipFailedRuns(step, node);
  return finishSkip(step);
}

/** Skips a node by skipping its newest run. */
function skipNewest(step: Step, node: string, input: Skip): RefusalOrNull {
  const run = step.state.runs.findLast(({ action }) => action === node);
  if (run !== undefined) return skipOne(step, run, input, node);
  return notApplicable(
    `the node ${node} has no run in progress`,
    "GET /v1/executions/{id} shows the current position.",
  );
}

function skipOne(step: Step, run: Run, input: Skip, node?: string): RefusalOrNull {
  if (run.status === "running") return refuseInFlight(run, "skipped");
  if (isHandled(run) || (isFinalRun(run.status) && !run.deadLetter)) return refuseEnded(step, run);
  const { result } = input;
  recordSkip(step, input, { ...(node === undefined ? {} : { node }), run: run.id, action: run.action });
  const skipped = endRun(step, run, result === undefined ? {} : { result, assumed: true });
  if (result === undefined) sendResultEvent(step, skipped, "skipped", { reason: BY_OPERATOR });
  else {
    changeState(step, { lastAction: statusOf(skipped, run.claimedAt, { succeeded: true }) });
    sendResultEvent(step, skipped, "ok", { result });
  }
  return finishSkip(step);
}

function refuseEnded(step: Step, run: Run): RefusalOrNull {
  const isAwaited = awaitedRunOf(step, run.action) === run.id;
  const hint = isAwaited ? `The run waits for a result. Complete or skip the node ${run.action}.` : hintAfterEnd(run);
  return notApplicable(
    `run ${run.id} has the status ${isHandled(run) ? "handled" : run.status}, so it cannot be skipped`,
    hint,
  );
}

function endRun(step: Step, run: Run, given: Partial<Pick<Run, "result" | "assumed">>): Run {
  addEntry(step, { kind: "run_skipped", run: run.id, action: run.action, reason: BY_OPERATOR });
  return changeRun(step, run, {
    status: "skipped",
    reason: BY_OPERATOR,
    finishedAt: step.now,
    dueAt: null,
    deadlineAt: null,
    deadLetter: false,
    ...withoutHandling(run),
    ...given,
  });
}

/** Marks the failed runs of a skipped node as skipped, so that they are no dead letters any more. */
function skipFailedRuns(step: Step, node: string): void {
  for (const run of step.state.runs) if (run.action === node && waitsForPerson(run)) endRun(step, run, {});
}

function recordSkip(
  step: Step,
  { result, actor, reason }: Skip,
  what: { node?: string; run?: string; action?: string },
): void {
  addEntry(step, { kind: "skipped_by_operator", ...what, ...(result === undefined ? {} : { result }), actor, reason });
}

/**
 * Processes the consequences of the skip. Refuses the skip if the execution would then be stuck, because a stuck
 * execution fails.
 */
export function finishSkip(step: Step): RefusalOrNull {
  processPending(step);
  const fault = refuseFault(step, "invalid_input", "the node that waits cannot be skipped");
  if (fault !== null || !wouldBeStuck(step)) return fault;
  return notApplicable(
    "after a skip the execution would fail as stuck, because no other work follows",
    'Send a "result", or cancel the execution.',
  );
}

type Complete = Extract<Command, { kind: "complete" }>;

const COMPLETED_BY_OPERATOR = "completed_by_operator";
const TASK_ENDS = ["task_completed", "task_canceled"];

export function complete(step: Step, input: Complete): RefusalOrNull {
  const { target } = input;
  const refused = "node" in target ? completeNode(step, target.node, input) : completeRun(step, target.run, input);
  if (refused) return refused;
  processPending(step);
  return refuseFault(step, "invalid_input", "the node that waits cannot be completed with this result");
}

function completeNode(step: Step, node: string, input: Complete): RefusalOrNull {
  const { as = null } = input;
  const eventFor = (type: string, run: string | null): EventMessage => messageOf(step, type, run, input);
  const payload = input.payload ?? null;
  const { actor, reason } = input;
  const before = awaitedRunOf(step, node);
  const controlled = controlNode(step, { kind: "complete", node, as, eventFor }, (said) =>
    addEntry(step, { kind: "completed_by_operator", node, as: said, payload, actor, reason }),
  );
  if (controlled === "run") return refuseRunningNode(node);
  if (controlled === null) withdrawTasks(step, ({ run }) => run === before, COMPLETED_BY_OPERATOR);
  return controlled;
}

function refuseRunningNode(node: string) {
  return notApplicable(
    `the node ${node} is not waiting yet: its action has not ended`,
    'Skip the node. If the node should count as done, add "result".',
  );
}

function completeRun(step: Step, id: string, input: Complete): RefusalOrNull {
  const found = findRun(step, id);
  if (!found.ok) return found;
  const { run } = found;
  if (awaitedRunOf(step, run.action) === id) return completeNode(step, run.action, input);
  const task = openTasks(step).find((each) => each.run === id && !each.withdrawn);
  return task === undefined ? refuseNotWaiting(step, run) : completeTask(step, task, input);
}

function refuseNotWaiting({ program, state }: Step, { id, status }: Run): Exclude<RefusalOrNull, null> {
  const events = program.waitsFor(state.position).join(", ") || "none";
  return notApplicable(
    `run ${id} has the status ${status} and waits for nothing: it has no task, callback or child`,
    `To make the run count as done, skip it with "result". Events that the execution accepts: ${events}.`,
  );
}

function completeTask(step: Step, { run, action }: OwnTask, input: Complete): RefusalOrNull {
  const { as = "task_completed", payload = null, actor, reason } = input;
  if (!TASK_ENDS.includes(as))
    return notApplicable(
      `a task can only be completed as ${TASK_ENDS.join(" or ")}`,
      "Set `as` to a value that the message names.",
    );
  const timing = step.program.eventTiming(step.state.position, as);
  if (timing !== "now" && timing !== "later") {
    const hint = "To complete the task anyway, call POST /v1/tasks/{id}/complete.";
    return notApplicable(`the execution does not wait for the event ${as} of the action ${action}`, hint);
  }
  addEntry(step, { kind: "completed_by_operator", run, as, payload, actor, reason });
  const message = messageOf(step, as, run, input);
  withdrawTasks(step, (task) => task.run === run, COMPLETED_BY_OPERATOR);
  return acceptEvent(step, { event: message, actor });
}

/**
 * The event that ends the wait. Its identifying fields are those of the engine's own event. The operator's `payload`
 * supplies all other fields.
 */
function messageOf(step: Step, type: string, run: string | null, input: Complete): EventMessage {
  const { id, correlationId } = step.state;
  const payload = payloadFor(step, type, run, input);
  const isTask = run !== null && TASK_ENDS.includes(type);
  const named = isTask ? taskEventId(run) : `${id}/${step.seq}/${COMPLETED_BY_OPERATOR}`;
  return { id: named, type, payload, source: isTask ? TASK_SOURCE : "by_operator", correlationId };
}

function payloadFor(step: Step, type: string, id: string | null, { payload = null, actor, reason }: Complete): Json {
  const run = id === null ? undefined : runOf(step, id);
  if (run === undefined) return payload;
  const about: JsonObject = { actionId: run.action, run: run.id };
  if (TASK_ENDS.includes(type)) {
    const taskId = openTasks(step).find((task) => task.run === id)?.id ?? null;
    const end = type === "task_completed" ? { result: payload } : { reason };
    return { ...about, taskId, by: actor.person ?? `${actor.kind}:${actor.id}`, byVerified: true, ...end };
  }
  if (!type.startsWith("child_")) return payload;
  const execution = isPlainObject(run.result) ? (run.result["execution"] ?? null) : null;
  return { ...about, execution, status: type.slice("child_".length), variables: payload };
}
