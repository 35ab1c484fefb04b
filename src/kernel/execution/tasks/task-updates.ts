// Task updates: the messages that an execution sends to the list of tasks, to withdraw, remind or escalate one.
import type { OutboxRef } from "#schema/engine/outbox.ts";
import type {
  AskedTask,
  Reminding,
  TaskSeen,
  TaskUpdate,
  TaskUpdateResult,
  TaskWatch,
} from "#schema/engine/asked-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import { TASK_LOOKS_MAX } from "#schema/limits/kernel.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { TASK_SOURCE } from "#schema/task.ts";
import { iso, note, runOf, type Step } from "../current-step.ts";
import { dropTask, putTask } from "./asked.ts";

/** All updates needed now. A task that its run may still create is withdrawn after the run has ended. */
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

/** When reminders or escalations are due; none while the execution is held. */
export function watchedAt({ tasks = [] }: ExecutionState): readonly number[] {
  return tasks.flatMap(({ watch }) => (watch ? instantsOf(watch) : []));
}

/** Missed reminders become one, the newest; the next one is strictly after now. */
export function watchTasks(step: Step): void {
  for (const task of step.state.tasks ?? []) {
    const { run, action, watch } = task;
    if (!watch || instantsOf(watch).every((at) => at > step.now)) continue;
    const due = { ...task, ...fallenDue(watch, step.now) };
    putTask(step, due);
    if (due.escalating && !task.escalating) note(step, { kind: "errand_begun", run, action, errand: "escalate" });
    if (due.reminding !== task.reminding) note(step, { kind: "errand_begun", run, action, errand: "remind" });
  }
}

function fallenDue({ escalateAt, remind }: TaskWatch, now: number): Partial<AskedTask> {
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

/** The result of an update that is no longer needed changes nothing. */
export function finishTaskUpdate(step: Step, { key, found, task: seen }: OutboxRef & TaskUpdateResult): void {
  const update = taskUpdates(step.state).find((each) => each.key === key);
  const task = step.state.tasks?.find(({ run }) => run === update?.run);
  if (!update || !task) return;
  const { kind, run } = update;
  note(step, { kind: "errand_done", run, action: task.action, errand: kind, found });
  if (task.withdrawn) return finishWithdrawal(step, task, task.withdrawn, found);
  const { reminding: _reminding, ...unreminded } = task;
  const { escalating: _escalating, ...unescalated } = task;
  const { watch: _watch, ...rest } = kind === "remind" ? unreminded : unescalated;
  // A task that has ended is not watched any more. Its execution receives an event for its end.
  putTask(step, found === "open" && task.watch ? { ...rest, watch: task.watch } : rest);
  if (found === "open" && seen) sendTaskEvent(step, task, update, seen);
}

/** It was not found, and the outcome of its run is unknown: a slow writer may still create it. */
function finishWithdrawal(
  step: Step,
  task: AskedTask,
  withdrawn: NonNullable<AskedTask["withdrawn"]>,
  found: TaskUpdateResult["found"],
): void {
  const maker = runOf(step, task.run);
  const isKnown = maker?.status === "ok" || maker?.error?.type === "invalid_configuration";
  const isInDoubt = found === "none" && !isKnown;
  if (isInDoubt && withdrawn.looks + 1 < TASK_LOOKS_MAX) {
    putTask(step, { ...task, withdrawn: { ...withdrawn, looks: withdrawn.looks + 1 } });
  } else dropTask(step, task.run);
}

/** Delivered to the program like every event of the engine. */
function sendTaskEvent(step: Step, { run, action }: AskedTask, update: TaskUpdate, task: TaskSeen): void {
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
