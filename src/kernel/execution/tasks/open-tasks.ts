// Tasks of an execution: the tasks that its runs have created, and the updates sent to them.
import type {
  OwnTask,
  Reminding,
  UpdatedTask,
  TaskUpdate,
  TaskUpdateResult,
  TaskWatch,
} from "#schema/engine/own-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { OutboxRef } from "#schema/engine/outbox.ts";
import type { ActionError, TouchedTask } from "#schema/engine/outcome.ts";
import { type Run, isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState, type Position } from "#schema/engine/state.ts";
import { TASKS_OPEN_MAX, TASK_SEARCHES_MAX } from "#schema/limits/open-tasks.ts";
import { refuse } from "#schema/refusal.ts";
import { ownTaskRun, TASK_SOURCE } from "#schema/task.ts";
import { hasExited } from "../../waiting/ending-execution.ts";
import { stateWithdrawingTask } from "../cancel-on-exit.ts";
import type { RefusalOrNull } from "../control.ts";
import { changeState, addEntry, runOf, type Step, iso } from "../current-step.ts";

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
 * Lists the task that this run may create from now on. Returns the error if the execution has too many tasks, otherwise
 * null.
 */
export function listExpectedTask(step: Step, run: Run, config: NonNullable<Run["config"]>): ActionError | null {
  if (run.type !== TASK || !isCreation(config)) return null;
  const list = openTasks(step);
  if (list.some((each) => each.run === run.id)) return null;
  if (list.length >= TASKS_OPEN_MAX) {
    const message = `the execution has ${list.length} open tasks; the limit is ${TASKS_OPEN_MAX} (TASKS_OPEN_MAX). Complete or withdraw some, then retry`;
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
    // The run has changed the task of another run, but the execution no longer tracks that task.
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
 * Called at the end of a step: withdraws the tasks of an execution that has ended, and of states that are not active.
 */
export function withdrawUnneededTasks(step: Step): void {
  const { status, position } = step.state;
  const isOver = isFinalStatus(status);
  if (isOver && keepsTasksOpen(step)) return releaseTasks(step);
  // In a journey, a node may end when its task is created, so the end of the node does not withdraw the task.
  const isLeft = (state: string): boolean => step.program.nodes === undefined && !isInState(position, state);
  withdrawTasks(step, ({ boundTo }) => isOver || (boundTo !== null && isLeft(boundTo)), "state_left");
}

/**
 * Stops tracking all tasks. A standalone action and a completed journey do not wait for their tasks, so the tasks stay
 * open.
 */
function releaseTasks(step: Step): void {
  if (openTasks(step).length > 0) putTasks(step, []);
}

function keepsTasksOpen({ program, state: { standalone, status, position } }: Step): boolean {
  if (program.nodes) return status === "completed" && !hasExited(position);
  return standalone !== undefined && status !== "canceled";
}

/**
 * True if the event is the end of a task for which the execution did not wait. The event is then accepted and has no
 * effect.
 */
export function isUnawaitedTaskEnd(step: Step, event: EventMessage): boolean {
  return keepsTasksOpen(step) && ownTaskRun(event) !== null;
}

/**
 * Removes a task that a person has ended from the list. Called before the task's event is delivered, so that the task
 * is not withdrawn when its state is left.
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

export function isInState({ states }: Position, state: string): boolean {
  return state === "" || states.some((leaf) => `${leaf}.`.startsWith(`${state}.`));
}

/**
 * All task updates that must be sent now. If its run may still create the task, the withdrawal is sent after the run
 * has ended.
 */
export function taskUpdates({ tasks = [], runs }: Pick<ExecutionState, "tasks" | "runs">): readonly TaskUpdate[] {
  return tasks.flatMap((task): TaskUpdate[] => {
    const { run, withdrawn, reminding: number, escalating } = task;
    if (withdrawn) {
      const maker = runs.find(({ id }) => id === run);
      const { at, reason, looks } = withdrawn;
      const isCreating = maker && !isFinalRun(maker.status);
      return isCreating ? [] : [{ kind: "withdraw", key: `withdraw/${run}`, run, at, reason, looks }];
    }
    return [
      ...(escalating ? [{ kind: "escalate", key: `escalate/${run}`, run } as const] : []),
      ...(number === undefined ? [] : [{ kind: "remind", key: `remind/${run}/${number}`, run, number } as const]),
    ];
  });
}

/**
 * Starts reminders and escalations that are due. Several missed reminders become one, the newest. The next reminder is
 * strictly after now.
 */
export function startDueTaskUpdates(step: Step): void {
  for (const task of step.state.tasks ?? []) {
    const { run, action, watch } = task;
    if (!watch || instantsOf(watch).every((at) => at > step.now)) continue;
    const due = { ...task, ...dueUpdates(watch, step.now) };
    putTask(step, due);
    if (due.escalating && !task.escalating) addEntry(step, { kind: "errand_begun", run, action, errand: "escalate" });
    if (due.reminding !== task.reminding) addEntry(step, { kind: "errand_begun", run, action, errand: "remind" });
  }
}

function dueUpdates({ escalateAt, remind }: TaskWatch, now: number): Partial<OwnTask> {
  const isEscalated = escalateAt !== null && escalateAt <= now;
  const isReminded = remind !== null && remind.at <= now;
  return {
    watch: { escalateAt: isEscalated ? null : escalateAt, remind: isReminded ? nextOf(remind, now) : remind },
    ...(isEscalated ? { escalating: true } : {}),
    ...(isReminded ? { reminding: remind.given + 1 } : {}),
  };
}

function nextOf({ at, everyMs, given, left }: Reminding, now: number) {
  if (everyMs === null || left <= 1) return null;
  const missed = Math.floor((now - at) / everyMs);
  return { at: at + (missed + 1) * everyMs, everyMs, given: given + 1, left: left - 1 };
}

function instantsOf({ escalateAt, remind }: TaskWatch): readonly number[] {
  return [escalateAt, remind === null ? null : remind.at].filter((at) => at !== null);
}

/** Stores the result of a task update. If the update is no longer needed, the result changes nothing. */
export function finishTaskUpdate(step: Step, { key, found, task: seen }: OutboxRef & TaskUpdateResult): void {
  const update = taskUpdates(step.state).find((each) => each.key === key);
  const task = step.state.tasks?.find(({ run }) => run === update?.run);
  if (!update || !task) return;
  const { kind, run } = update;
  addEntry(step, { kind: "errand_done", run, action: task.action, errand: kind, found });
  if (task.withdrawn) return finishWithdrawal(step, task, task.withdrawn, found);
  const { reminding: _reminding, ...unreminded } = task;
  const { escalating: _escalating, ...unescalated } = task;
  const { watch: _watch, ...rest } = kind === "remind" ? unreminded : unescalated;
  // A task that has ended gets no more reminders. The execution receives a separate event for the end of the task.
  putTask(step, found === "open" && task.watch ? { ...rest, watch: task.watch } : rest);
  if (found === "open" && seen) sendTaskEvent(step, task, update, seen);
}

/**
 * Ends a withdrawal. If the task was not found, a slow attempt of its run may still create it, unless the run's outcome
 * is known. The withdrawal is then repeated up to a limit.
 */
function finishWithdrawal(
  step: Step,
  task: OwnTask,
  withdrawn: NonNullable<OwnTask["withdrawn"]>,
  found: TaskUpdateResult["found"],
): void {
  const maker = runOf(step, task.run);
  const isKnown = maker?.status === "ok" || maker?.error?.type === "invalid_configuration";
  const isInDoubt = found === "none" && !isKnown;
  if (isInDoubt && withdrawn.looks + 1 < TASK_SEARCHES_MAX) {
    putTask(step, { ...task, withdrawn: { ...withdrawn, looks: withdrawn.looks + 1 } });
  } else dropTask(step, task.run);
}

/** Sends a reminder or escalation to the program as an event, like every event of the engine. */
function sendTaskEvent(step: Step, { run, action }: OwnTask, update: TaskUpdate, task: UpdatedTask): void {
  const number = update.kind === "remind" ? update.number : 1;
  const { id: taskId, title, assignee, dueAt, priority, escalatedFrom } = task;
  const about = { taskId, actionId: action, run, title, assignee, priority, dueAt: dueAt === null ? null : iso(dueAt) };
  const event =
    update.kind === "remind"
      ? { type: "task_reminder", payload: { ...about, number } }
      : { type: "task_escalated", payload: { ...about, escalatedFrom } };
  const { id, correlationId } = step.state;
  const message: EventMessage = {
    id: `${id}/${run}/${event.type}/${number}`,
    ...event,
    source: TASK_SOURCE,
    correlationId,
  };
  step.pending.push({ message, origin: "run" });
}
