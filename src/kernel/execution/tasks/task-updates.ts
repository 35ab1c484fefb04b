// Updates of an execution's tasks: withdrawals, reminders and escalations that the Worker carries out. Their journal
// entries are `task_update_due` and `task_updated`.
import type {
  OwnTask,
  Reminding,
  TaskUpdate,
  TaskUpdateResult,
  TaskWatch,
  UpdatedTask,
} from "#schema/engine/own-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { OutboxRef } from "#schema/engine/outbox.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { TASK_SEARCHES_MAX } from "#schema/limits/executions.ts";
import { TASK_SOURCE } from "#schema/task.ts";
import { addEntry, iso, runOf, type Step } from "../current-step.ts";
import { dropTask, putTask } from "./open-tasks.ts";

/**
 * All task updates that must be sent now. If the task's run may still create the task, its withdrawal is sent only
 * after the run has ended.
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
 * Starts due reminders and escalations. Several missed reminders are sent as one, the newest. The next reminder is
 * strictly after now.
 */
export function startDueTaskUpdates(step: Step): void {
  for (const task of step.state.tasks ?? []) {
    const { run, action, watch } = task;
    if (!watch || dueInstants(watch).every((at) => at > step.now)) continue;
    const due = { ...task, ...dueUpdates(watch, step.now) };
    putTask(step, due);
    if (due.escalating && !task.escalating)
      addEntry(step, { kind: "task_update_due", run, action, update: "escalate" });
    if (due.reminding !== task.reminding) addEntry(step, { kind: "task_update_due", run, action, update: "remind" });
  }
}

function dueUpdates({ escalateAt, remind }: TaskWatch, now: number): Partial<OwnTask> {
  const isEscalated = escalateAt !== null && escalateAt <= now;
  const isReminded = remind !== null && remind.at <= now;
  return {
    watch: { escalateAt: isEscalated ? null : escalateAt, remind: isReminded ? nextReminding(remind, now) : remind },
    ...(isEscalated ? { escalating: true } : {}),
    ...(isReminded ? { reminding: remind.given + 1 } : {}),
  };
}

function nextReminding({ at, everyMs, given, left }: Reminding, now: number) {
  if (everyMs === null || left <= 1) return null;
  const missed = Math.floor((now - at) / everyMs);
  return { at: at + (missed + 1) * everyMs, everyMs, given: given + 1, left: left - 1 };
}

function dueInstants({ escalateAt, remind }: TaskWatch): readonly number[] {
  return [escalateAt, remind === null ? null : remind.at].filter((at) => at !== null);
}

/** Stores the result of a task update. If the update is no longer needed, the result changes nothing. */
export function finishTaskUpdate(step: Step, { key, found, task: seen }: OutboxRef & TaskUpdateResult): void {
  const update = taskUpdates(step.state).find((each) => each.key === key);
  const task = step.state.tasks?.find(({ run }) => run === update?.run);
  if (!update || !task) return;
  const { kind, run } = update;
  addEntry(step, { kind: "task_updated", run, action: task.action, update: kind, found });
  if (task.withdrawn) return finishWithdrawal(step, task, task.withdrawn, found);
  const updated = withoutUpdate(task, kind);
  // A task that has ended gets no more reminders. Its end reaches the execution as a separate event.
  putTask(step, found === "open" ? updated : withoutWatch(updated));
  if (found === "open" && seen) sendTaskEvent(step, task, update, seen);
}

function withoutUpdate(task: OwnTask, kind: TaskUpdate["kind"]): OwnTask {
  const { reminding: _reminding, ...unreminded } = task;
  if (kind === "remind") return unreminded;
  const { escalating: _escalating, ...unescalated } = task;
  return unescalated;
}

function withoutWatch({ watch: _watch, ...unwatched }: OwnTask): OwnTask {
  return unwatched;
}

/**
 * Ends a withdrawal. A task that was not found may still be created by a slow attempt of its run. The withdrawal is
 * then repeated, up to a limit, unless the run's outcome is known.
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

/** Sends a reminder or escalation to the program as an event. */
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
