// What an execution wants done about its tasks in the list of tasks: withdraw one, remind of one, escalate one. Owed until
// somebody says what came of it, and sent again with growing gaps until then. Twice is harmless.
import type {
  AskedTask,
  AskedTasks,
  Errand,
  ErrandDone,
  Reminding,
  TaskSeen,
  TaskWatch,
} from "#schema/engine/asked-task.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import { RESEND_GAPS_MS } from "#schema/limits.ts";
import { TASK_LOOKS_MAX } from "#schema/limits/kernel.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { TASK_SOURCE } from "#schema/task.ts";
import { change, iso, note, runOf, type Step } from "../current-step.ts";
import { dropTask, putTask } from "./asked.ts";

/** All that are owed now. A task that may still be in the making is withdrawn when its run has ended. */
export function errandsOf({ tasks, runs }: ExecutionState): readonly Errand[] {
  return (tasks?.list ?? []).flatMap((task): Errand[] => {
    const { run, withdrawn, reminding, escalating } = task;
    if (withdrawn) {
      const maker = runs.find(({ id }) => id === run);
      const { at, reason, looks } = withdrawn;
      return maker && !isFinalRun(maker.status) ? [] : [{ kind: "withdraw", run, at, reason, looks }];
    }
    return [
      ...(escalating ? [{ kind: "escalate", run } as const] : []),
      ...(reminding === undefined ? [] : [{ kind: "remind", run, number: reminding } as const]),
    ];
  });
}

/** When something about its tasks is due by itself; nothing while it is held up. */
export function watchedAt({ tasks }: ExecutionState): readonly number[] {
  return (tasks?.list ?? []).flatMap(({ watch }) => (watch ? instantsOf(watch) : []));
}

/** When its errands go out again; null while there are none. */
export function errandsAt({ tasks }: ExecutionState): number | null {
  if (!tasks || tasks.sentAt === null) return null;
  return tasks.sentAt + Number(RESEND_GAPS_MS[Math.min(tasks.resends, RESEND_GAPS_MS.length - 1)]); // in range
}

/** Reminders that were missed are one, the newest; the next one is strictly after now. */
export function watchTasks(step: Step): void {
  for (const task of step.state.tasks?.list ?? []) {
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

/** At the end of a step: what is new goes out at once. */
export function sendErrands(step: Step): void {
  const { tasks } = step.state;
  if (!tasks) return;
  const errands = errandsOf(step.state);
  if (errands.length === 0) {
    if (tasks.sentAt !== null) change(step, { tasks: { ...tasks, sentAt: null, resends: 0 } });
    return;
  }
  const known = new Set(errandsOf(step.before).map(nameOf));
  if (tasks.sentAt === null || errands.some((errand) => !known.has(nameOf(errand)))) send(step, tasks, 0);
}

/** The message may have been lost on its way, or the catalog was. */
export function resendErrands(step: Step): void {
  const { tasks } = step.state;
  const at = errandsAt(step.state);
  if (tasks && at !== null && at <= step.now) send(step, tasks, tasks.resends + 1);
}

function send(step: Step, tasks: AskedTasks, resends: number): void {
  change(step, { tasks: { ...tasks, sentAt: step.now, resends } });
  step.effects.push({ kind: "errands" });
}

function nameOf(errand: Errand): string {
  return `${errand.kind}/${errand.run}/${errand.kind === "remind" ? errand.number : ""}`;
}

/** What is not owed (any more) changes nothing. */
export function finishErrands(step: Step, done: readonly ErrandDone[]): null {
  const before = errandsOf(step.state).length;
  for (const each of done) finish(step, each);
  const { tasks } = step.state;
  const left = errandsOf(step.state);
  // There were more than one message brings back. What has been looked for in vain waits for its time.
  const isNext = left.length < before && left.some((errand) => errand.kind !== "withdraw" || errand.looks === 0);
  if (tasks && isNext) send(step, tasks, 0);
  return null;
}

function finish(step: Step, done: ErrandDone): void {
  const { run, kind, found } = done;
  const task = step.state.tasks?.list.find((each) => each.run === run);
  const isOwed = errandsOf(step.state).some(
    (errand) =>
      errand.run === run && errand.kind === kind && (errand.kind !== "remind" || errand.number === done.number),
  );
  if (!task || !isOwed) return;
  note(step, { kind: "errand_done", run, action: task.action, errand: kind, found });
  if (task.withdrawn) return finishWithdrawal(step, task, task.withdrawn, found);
  const { reminding: _reminding, ...unreminded } = task;
  const { escalating: _escalating, ...unescalated } = task;
  const { watch: _watch, ...rest } = kind === "remind" ? unreminded : unescalated;
  // One that has ended is looked after no more; its execution hears of its end.
  putTask(step, found === "open" && task.watch ? { ...rest, watch: task.watch } : rest);
  if (found === "open" && done.task) tell(step, task, done, done.task);
}

/** Not found, and nobody knows how its run ended: it may still come to be, from a writer that is slow to die. */
function finishWithdrawal(
  step: Step,
  task: AskedTask,
  withdrawn: NonNullable<AskedTask["withdrawn"]>,
  found: ErrandDone["found"],
): void {
  const maker = runOf(step, task.run);
  const isKnown = maker?.status === "ok" || maker?.error?.type === "invalid_configuration";
  const isInDoubt = found === "none" && !isKnown;
  if (isInDoubt && withdrawn.looks + 1 < TASK_LOOKS_MAX) {
    putTask(step, { ...task, withdrawn: { ...withdrawn, looks: withdrawn.looks + 1 } });
  } else dropTask(step, task.run);
}

/** The machine hears of it as of anything that the engine says by itself. */
function tell(step: Step, { run, action }: AskedTask, { kind, number = 1 }: ErrandDone, task: TaskSeen): void {
  const { id: taskId, title, assignee, dueAt, priority, escalatedFrom } = task;
  const about = { taskId, actionId: action, run, title, assignee, priority, dueAt: dueAt === null ? null : iso(dueAt) };
  const told =
    kind === "remind"
      ? { type: "task_reminder", payload: { ...about, number } }
      : { type: "task_escalated", payload: { ...about, escalatedFrom } };
  const { id, correlationId } = step.state;
  const message: EventMessage = {
    id: `${id}/${run}/${told.type}/${number}`,
    ...told,
    source: TASK_SOURCE,
    correlationId,
  };
  step.pending.push({ message, origin: "run" });
}
