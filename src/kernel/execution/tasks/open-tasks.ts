// Open tasks of an execution: records the tasks that its runs create, and withdraws or closes them.
import type { OwnTask } from "#schema/engine/own-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { ActionError, TouchedTask } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import { isFinalStatus, type Position } from "#schema/engine/state.ts";
import { TASKS_OPEN_MAX } from "#schema/limits/executions.ts";
import { refuse } from "#schema/refusal.ts";
import { ownTaskRun } from "#schema/task.ts";
import { hasExited } from "../../waiting/ending-execution.ts";
import { stateWithdrawingTask } from "../cancel-on-exit.ts";
import type { RefusalOrNull } from "../control.ts";
import { changeState, addEntry, runOf, type Step } from "../current-step.ts";

const TASK = "task";

export function openTasks({ state }: Step): readonly OwnTask[] {
  return state.tasks ?? [];
}

export function putTasks(step: Step, list: readonly OwnTask[]): void {
  changeState(step, { tasks: list });
}

export function putTask(step: Step, task: OwnTask): void {
  putTasks(
    step,
    openTasks(step).map((each) => (each.run === task.run ? task : each)),
  );
}

export function dropTask(step: Step, run: string): void {
  const list = openTasks(step);
  const kept = list.filter((each) => each.run !== run);
  if (kept.length < list.length) putTasks(step, kept);
}

/**
 * Records the task that this run may create from now on. Returns the error if the execution has too many tasks, otherwise
 * null.
 */
export function recordExpectedTask(step: Step, run: Run, config: NonNullable<Run["config"]>): ActionError | null {
  if (run.type !== TASK || !isCreation(config)) return null;
  const list = openTasks(step);
  if (list.some((each) => each.run === run.id)) return null;
  if (list.length >= TASKS_OPEN_MAX) {
    const message = `the execution has ${list.length} open tasks; the limit is ${TASKS_OPEN_MAX} (TASKS_OPEN_MAX). Complete or cancel some tasks, then retry`;
    return { type: "invalid_configuration", code: "tasks_full", message, retryable: false };
  }
  putTasks(step, [...list, newTask(run, stateWithdrawingTask(step, run))]);
  return null;
}

/** Stores the tasks that a run has created or changed. A task that is no longer needed is withdrawn immediately. */
export function storeTouchedTasks(step: Step, by: Run, touched: readonly TouchedTask[]): void {
  for (const { run, id, isOpen, watch } of touched) {
    if (!isOpen) {
      dropTask(step, run);
      continue;
    }
    const known = openTasks(step).find((each) => each.run === run);
    // The run has changed the task of another run, and the execution no longer tracks that task. Nothing is stored.
    if (!known && run !== by.id) continue;
    if (!known) putTasks(step, [...openTasks(step), newTask(by, stateWithdrawingTask(step, by))]);
    const task = known ?? newTask(by, stateWithdrawingTask(step, by));
    putTask(step, { ...task, id, ...(watch && !task.withdrawn ? { watch } : {}) });
    if (run === by.id && by.status === "canceled") withdrawTask(step, run, "state_left");
  }
}

/**
 * Withdraws a task that is no longer needed. If the run has not created the task yet, it is withdrawn after its
 * creation.
 */
function withdrawTask(step: Step, run: string, reason: string): void {
  const task = openTasks(step).find((each) => each.run === run);
  if (!task || task.withdrawn) return;
  const { watch: _watch, reminding: _reminding, escalating: _escalating, ...rest } = task;
  const why = isFinalStatus(step.state.status) ? `execution_${step.state.status}` : reason;
  putTask(step, { ...rest, withdrawn: { at: step.now, reason: why, looks: 0 } });
  addEntry(step, { kind: "task_withdrawn", run, action: task.action, reason: why });
}

export function withdrawTasks(step: Step, which: (task: OwnTask) => boolean, reason: string): void {
  for (const task of openTasks(step)) if (which(task)) withdrawTask(step, task.run, reason);
}

/**
 * Called at the end of a step: withdraws tasks if the execution has ended, or if the task's state is no longer active.
 */
export function withdrawUnneededTasks(step: Step): void {
  const { status, position } = step.state;
  const isOver = isFinalStatus(status);
  if (isOver && keepsTasksOpen(step)) return releaseTasks(step);
  // A journey's node may end as soon as its task is created. The end of the node therefore does not withdraw the task.
  const isLeft = (state: string): boolean => step.program.nodes === undefined && !isInState(position, state);
  withdrawTasks(step, ({ boundTo }) => isOver || (boundTo !== null && isLeft(boundTo)), "state_left");
}

/**
 * Stops tracking all tasks. A standalone action and a completed journey do not wait for their tasks, so the tasks
 * remain open for people to complete.
 */
function releaseTasks(step: Step): void {
  if (openTasks(step).length > 0) putTasks(step, []);
}

function keepsTasksOpen({ program, state: { standalone, status, position } }: Step): boolean {
  if (program.nodes) return status === "completed" && !hasExited(position);
  return standalone !== undefined && status !== "canceled";
}

/**
 * True if the event is the end of a task for which the execution does not wait. The caller accepts such an event
 * without any effect.
 */
export function isUnawaitedTaskEnd(step: Step, event: EventMessage): boolean {
  return keepsTasksOpen(step) && ownTaskRun(event) !== null;
}

/**
 * Removes a task from the list after a person has ended it. Called before the task's event is delivered. The event may
 * leave the task's state, which would otherwise withdraw the task.
 */
export function closeEndedTask(step: Step, event: EventMessage): RefusalOrNull {
  const run = ownTaskRun(event);
  if (run === null) return null;
  const task = openTasks(step).find((each) => each.run === run);
  if (task && !task.withdrawn) {
    dropTask(step, run);
    return null;
  }
  if (!task && !runOf(step, run)) return null;
  const why = task?.withdrawn ? `: ${task.withdrawn.reason.replaceAll("_", " ")}` : "";
  return refuse({ code: "task_closed", message: `the task of run ${run} was withdrawn${why}` });
}

function newTask({ id: run, action }: Run, boundTo: string | null): OwnTask {
  return { run, action, boundTo, id: null };
}

function isCreation({ operation = "create" }: NonNullable<Run["config"]>): boolean {
  return operation === "create";
}

/** Returns whether the state is active. The empty path names the whole program, which is always active. */
export function isInState({ states }: Position, state: string): boolean {
  return state === "" || states.some((leaf) => `${leaf}.`.startsWith(`${state}.`));
}
