// Completion by an operator: ends a wait as if the awaited event had arrived. In a journey that is a wait, an answer or
// an early end; in any kind, a task. A machine waits for events, which its clients can send directly.
import type { Command } from "#schema/engine/input.ts";
import type { AskedTask } from "#schema/engine/asked-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { TASK_SOURCE, taskEventId } from "#schema/task.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { refuseFault, takeIn, type Refused } from "../control.ts";
import { note, runOf, type Step } from "../current-step.ts";
import { drain } from "../drive.ts";
import { askedTasks, withdrawTasks } from "../tasks/asked.ts";
import { findRun } from "./named-run.ts";
import { awaitedBy, steerNode } from "./node.ts";
import { notApplicable } from "./standing.ts";

type Complete = Extract<Command, { kind: "complete" }>;

const BY_HAND = "completed_by_hand";
const TASK_ENDS = ["task_completed", "task_canceled"];

export function complete(step: Step, input: Complete): Refused {
  const { target } = input;
  const refused = "node" in target ? completeNode(step, target.node, input) : completeRun(step, target.run, input);
  if (refused) return refused;
  drain(step);
  return refuseFault(step, "invalid_input", "it cannot be completed with this result");
}

function completeNode(step: Step, node: string, input: Complete): Refused {
  const { as = null } = input;
  const told = (type: string, run: string | null): EventMessage => messageOf(step, type, run, input);
  const payload = input.payload ?? null;
  const { actor, reason } = input;
  const before = awaitedBy(step, node);
  const steered = steerNode(step, { kind: "complete", node, as, told }, (said) =>
    note(step, { kind: "completed_by_hand", node, as: said, payload, actor, reason }),
  );
  if (steered === "run") return notYet(node);
  if (steered === null) withdrawTasks(step, ({ run }) => run === before, BY_HAND);
  return steered;
}

function notYet(node: string) {
  return notApplicable(
    `${node} is not waiting yet: its action has not ended`,
    'Skip it, with "result" if it should count as done.',
  );
}

function completeRun(step: Step, id: string, input: Complete): Refused {
  const found = findRun(step, id);
  if (!found.ok) return found;
  const { run } = found;
  if (awaitedBy(step, run.action) === id) return completeNode(step, run.action, input);
  const task = askedTasks(step).find((each) => each.run === id && !each.withdrawn);
  return task === undefined ? noWait(step, run) : completeTask(step, task, input);
}

function noWait({ program, state }: Step, { id, status }: Run): Exclude<Refused, null> {
  const events = program.waitsFor(state.position).join(", ") || "none";
  return notApplicable(
    `run ${id} is ${status} and waits for nothing: it has no task, callback or child`,
    `To count it as done, skip it with "result". Events that the execution accepts: ${events}.`,
  );
}

function completeTask(step: Step, { run, action }: AskedTask, input: Complete): Refused {
  const { as = "task_completed", payload = null, actor, reason } = input;
  if (!TASK_ENDS.includes(as))
    return notApplicable(`a task ends with ${TASK_ENDS.join(" or ")} only`, "Set `as` to one of these.");
  const outlook = step.program.outlook(step.state.position, as);
  if (outlook !== "now" && outlook !== "later") {
    const hint = "To complete the task anyway, complete it directly: POST /v1/tasks/{id}/complete.";
    return notApplicable(`the execution does not wait for ${as} of ${action}`, hint);
  }
  note(step, { kind: "completed_by_hand", run, as, payload, actor, reason });
  const message = messageOf(step, as, run, input);
  withdrawTasks(step, (task) => task.run === run, BY_HAND);
  return takeIn(step, { event: message, actor });
}

/** The event has the same fields as the engine's own; `payload` adds what only the operator knows. */
function messageOf(step: Step, type: string, run: string | null, input: Complete): EventMessage {
  const { id, correlationId } = step.state;
  const payload = payloadFor(step, type, run, input);
  const isTask = run !== null && TASK_ENDS.includes(type);
  const named = isTask ? taskEventId(run) : `${id}/${step.seq}/${BY_HAND}`;
  return { id: named, type, payload, source: isTask ? TASK_SOURCE : "by_hand", correlationId };
}

function payloadFor(step: Step, type: string, id: string | null, { payload = null, actor, reason }: Complete): Json {
  const run = id === null ? undefined : runOf(step, id);
  if (run === undefined) return payload;
  const about: JsonObject = { actionId: run.action, run: run.id };
  if (TASK_ENDS.includes(type)) {
    const taskId = askedTasks(step).find((task) => task.run === id)?.id ?? null;
    const end = type === "task_completed" ? { result: payload } : { reason };
    return { ...about, taskId, by: `${actor.kind}:${actor.id}`, ...end };
  }
  if (!type.startsWith("child_")) return payload;
  const execution = isPlainObject(run.result) ? (run.result["execution"] ?? null) : null;
  return { ...about, execution, status: type.slice("child_".length), variables: payload };
}
