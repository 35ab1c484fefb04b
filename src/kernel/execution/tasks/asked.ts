// The tasks of an execution, as its state lists them: from the moment a run may create one until the task has ended or
// is no longer needed. task-updates.ts has the messages about them.
import type { AskedTask } from "#schema/engine/asked-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import { TASKS_OPEN_MAX } from "#schema/limits/kernel.ts";
import type { ActionError, TouchedTask } from "#schema/engine/outcome.ts";
import { refuse } from "#schema/refusal.ts";
import type { Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState, type Position } from "#schema/engine/state.ts";
import { ownTaskRun } from "#schema/task.ts";
import type { Refused } from "../control.ts";
import { actionOf, change, note, runOf, type Step } from "../current-step.ts";

const TASK = "task";

export function askedTasks({ state }: Step): readonly AskedTask[] {
  return state.tasks ?? [];
}

export function putTasks(step: Step, list: readonly AskedTask[]): void {
  change(step, { tasks: list });
}

export function putTask(step: Step, task: AskedTask): void {
  putTasks(
    step,
    askedTasks(step).map((each) => (each.run === task.run ? task : each)),
  );
}

export function dropTask(step: Step, run: string): void {
  const list = askedTasks(step);
  const kept = list.filter((each) => each.run !== run);
  if (kept.length < list.length) putTasks(step, kept);
}

/** From now on the run may create its task at any moment. Returns why it must not. */
export function expectTask(step: Step, run: Run, config: NonNullable<Run["config"]>): ActionError | null {
  if (run.type !== TASK || !isMaking(config)) return null;
  const list = askedTasks(step);
  if (list.some((each) => each.run === run.id)) return null;
  if (list.length >= TASKS_OPEN_MAX) {
    const message = `${list.length} of its tasks are open; the limit is ${TASKS_OPEN_MAX} (TASKS_OPEN_MAX). Complete or withdraw some, then retry`;
    return { type: "invalid_configuration", code: "tasks_full", message, retryable: false };
  }
  putTasks(step, [...list, asked(run, staysWith(step, run))]);
  return null;
}

/** The tasks that a run has created. One that is no longer needed is withdrawn at once. */
export function touchTasks(step: Step, by: Run, touched: readonly TouchedTask[]): void {
  for (const { run, id, isOpen, watch } of touched) {
    if (!isOpen) {
      dropTask(step, run);
      continue;
    }
    const known = askedTasks(step).find((each) => each.run === run);
    // Another run changed a task that this execution has released meanwhile.
    if (!known && run !== by.id) continue;
    if (!known) putTasks(step, [...askedTasks(step), asked(by, staysWith(step, by))]);
    const task = known ?? asked(by, staysWith(step, by));
    putTask(step, { ...task, id, ...(watch && !task.withdrawn ? { watch } : {}) });
    if (run === by.id && by.status === "canceled") withdraw(step, run, "state_left");
  }
}

/** Withdraws a task that is no longer needed, whether it exists already or is created later. */
function withdraw(step: Step, run: string, reason: string): void {
  const task = askedTasks(step).find((each) => each.run === run);
  if (!task || task.withdrawn) return;
  const { watch: _watch, reminding: _reminding, escalating: _escalating, ...rest } = task;
  const why = isFinalStatus(step.state.status) ? `execution_${step.state.status}` : reason;
  putTask(step, { ...rest, withdrawn: { at: step.now, reason: why, looks: 0 } });
  note(step, { kind: "task_withdrawn", run, action: task.action, reason: why });
}

export function withdrawTasks(step: Step, which: (task: AskedTask) => boolean, reason: string): void {
  for (const task of askedTasks(step)) if (which(task)) withdraw(step, task.run, reason);
}

/** At the end of a step: an execution that has ended needs no tasks, and neither does a state that is not active. */
export function withdrawNeedless(step: Step): void {
  const { status, position } = step.state;
  const isOver = isFinalStatus(status);
  if (isOver && isForItself(step.state)) return letStand(step);
  // In a journey, the task's node may have ended when its task was created.
  const isLeft = (state: string): boolean => position.kind !== "journey" && !standsIn(position, state);
  withdrawTasks(step, ({ boundTo }) => isOver || (boundTo !== null && isLeft(boundTo)), "state_left");
}

/** A standalone action, and a journey that is done, do not wait: their tasks stay open. */
function letStand(step: Step): void {
  if (askedTasks(step).length > 0) putTasks(step, []);
}

function isForItself({ standalone, status, position }: ExecutionState): boolean {
  if (position.kind === "journey") return status === "completed" && position.exit === undefined;
  return standalone !== undefined && status !== "canceled";
}

/** The end of a task that the execution does not wait for is accepted. */
export function isForNobody({ state }: Step, event: EventMessage): boolean {
  return isForItself(state) && ownTaskRun(event) !== null;
}

/**
 * A person has ended the task. It is closed before its event is delivered, because the task is no longer open in the
 * next state.
 */
export function endTask(step: Step, event: EventMessage): Refused {
  const run = ownTaskRun(event);
  if (run === null) return null;
  const task = askedTasks(step).find((each) => each.run === run);
  if (task && !task.withdrawn) {
    dropTask(step, run);
    return null;
  }
  if (!task && !runOf(step, run)) return null;
  const why = task?.withdrawn ? `: ${task.withdrawn.reason.replaceAll("_", " ")}` : "";
  return refuse({ code: "task_closed", message: `the task of run ${run} was withdrawn${why}` });
}

function asked({ id: run, action }: Run, boundTo: string | null): AskedTask {
  return { run, action, boundTo, id: null };
}

function staysWith(step: Step, run: Run): string | null {
  return actionOf(step, run.action).cancelOnExit === false ? null : run.boundTo;
}

function isMaking({ operation = "create" }: NonNullable<Run["config"]>): boolean {
  return operation === "create";
}

export function standsIn({ states }: Position, state: string): boolean {
  return state === "" || states.some((leaf) => `${leaf}.`.startsWith(`${state}.`));
}
