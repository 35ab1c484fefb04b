// Passing of time: processes due deadlines, timers and waiting events in order of their instants. Called at the start
// of nearly every step.
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { BufferedEvent, Timer } from "#schema/engine/state.ts";
import { applyVerdict } from "./conclude.ts";
import { isHeldUp, type Step, actionOf, note, storeTrigger, runOf } from "./current-step.ts";
import { countMacrostep, deliver, drain, fault, firstWaiting, deliverBuffered } from "./drive.ts";
import { sendDueAgain } from "./outbox/outbox.ts";
import { dropTimer, ownTimers } from "./own-lists.ts";
import { expireDeadLetters } from "./retries/redrive.ts";
import { resend, createRun } from "./runs.ts";
import { timeOut } from "./settle.ts";
import { watchTasks } from "./tasks/tasks.ts";
import { dueTimers, rearmSchedule, type Due } from "./timers.ts";
import { overdueAt, resendAt } from "../waiting/deadlines.ts";

/** Processes everything that was due before the input, so that the input sees its result. */
export function passTime(step: Step): null {
  for (const run of step.state.runs) {
    if (run.status === "queued" && !step.suspended && resendAt(run) <= step.now)
      resend(step, run, "not_claimed", run.resends + 1);
  }
  sendDueAgain(step);
  if (!isHeldUp(step)) watchTasks(step);
  if (!isHeldUp(step)) expireDeadLetters(step);
  comeDue(step);
  // If the loop above stopped early, overdue attempts are still recorded as timed out.
  for (const run of step.state.runs) if (isOverdue(step, run)) timeOut(step, run);
  applyVerdict(step);
  return null;
}

export function comeDue(step: Step): void {
  let [line, armings] = [lineUp(step), step.armings];
  while (!step.verdict) {
    if (step.armings !== armings) [line, armings] = [lineUp(step), step.armings];
    // Work processed earlier in this loop may have canceled the last item of the line.
    while (line.length > 0 && line.at(-1)?.isStill() === false) line.pop();
    const due = line.at(-1);
    const event = firstWaiting(step, due === undefined ? step.now : due.at - 1);
    const next = event ? eventComing(step, event) : due;
    drain(step, next === undefined ? step.now : next.at - 1);
    if (next === undefined) return;
    // Draining may have made an earlier item due, or armed further timers: the line is then built again.
    if (step.verdict || step.armings !== armings || !next.isStill()) continue;
    if (!countMacrostep(step)) return;
    next.come();
  }
}

type Coming = { readonly at: number; readonly isStill: () => boolean; readonly come: () => void };

/**
 * Due deadlines and timers, sorted so that the first to process is last. At one instant a deadline comes before a
 * timer, and both come before an event, which then sees their result.
 */
function lineUp(step: Step): Coming[] {
  const overdue = step.state.runs.filter((run) => isOverdue(step, run)).map((run) => deadlineComing(step, run));
  const timers = isHeldUp(step) ? [] : dueTimers(step).map((timer) => timerComing(step, timer));
  return [...overdue, ...timers].toSorted((a, b) => a.at - b.at).toReversed();
}

function deadlineComing(step: Step, run: Run): Coming {
  const isStill = (): boolean => runOf(step, run.id) === run;
  return { at: overdueAt(run), isStill, come: () => timeOut(step, run) };
}

function timerComing(step: Step, timer: Timer & Due): Coming {
  return { at: timer.at, isStill: () => ownTimers(step).ids.has(timer.id), come: () => fire(step, timer) };
}

function eventComing(step: Step, event: BufferedEvent): Coming {
  return {
    at: event.at ?? 0,
    isStill: () => step.state.buffer.includes(event),
    come: () => deliverBuffered(step, event),
  };
}

export function isOverdue({ now }: Step, run: Run): boolean {
  return run.status === "running" && overdueAt(run) <= now;
}

function fire(step: Step, timer: Timer & Due): void {
  dropTimer(step, timer.id);
  note(step, { kind: "timer_fired", timer: timer.id, lateMs: step.now - timer.at });
  if (timer.action !== null) return occur(step, timer, timer.action);
  const { correlationId } = step.state;
  const message = { id: `${timer.id}@${timer.at}`, type: timer.id, payload: null, source: "timer", correlationId };
  deliver(step, message, timer.planned ?? timer.at);
}

function occur(step: Step, timer: Timer & Due, id: string): void {
  const action = actionOf(step, id);
  // All occurrences missed since the timer's instant become one run, for the newest occurrence. Its lateness counts
  // from there.
  const occurrence = rearmSchedule(step, timer, action);
  if (!occurrence.ok) return fault(step, occurrence.message);
  // An occurrence that overlaps the previous run is skipped, so that runs do not accumulate behind a slow one.
  if (step.state.runs.some((run) => run.action === id && !isFinalRun(run.status))) {
    note(step, { kind: "run_skipped", run: timer.id, action: id, reason: "previous_still_under_way" });
    return;
  }
  const problem = createRun(step, action, timer.state, storeTrigger(step, null, null), {
    occurrence: occurrence.value,
  });
  if (problem !== null) fault(step, problem);
}
