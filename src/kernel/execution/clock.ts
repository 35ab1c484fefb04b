// Passing of time: processes due deadlines, timers and waiting events in the order of their instants. Called at the
// start of nearly every step.
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { BufferedEvent, Timer } from "#schema/engine/state.ts";
import { applyVerdict } from "./conclude.ts";
import { isPausedOrSuspended, type Step, actionOf, addEntry, storeTrigger, runOf } from "./current-step.ts";
import { countMacrostep, deliverEvent, processPending, failWithFault, firstWaiting, deliverBuffered } from "./drive.ts";
import { askForPlaceWhenDue } from "./limits/start-place.ts";
import { sendDueAgain } from "./outbox/outbox.ts";
import { dropTimer, ownTimers } from "./own-lists.ts";
import { expireDeadLetters } from "./retries/redrive.ts";
import { resend, createRun } from "./runs.ts";
import { timeOut } from "./settle.ts";
import { startDueTaskUpdates } from "./tasks/task-updates.ts";
import { rearmSchedule } from "./due/schedules.ts";
import { dueTimers, type DueInstant } from "./timers.ts";
import { overdueAt, resendAt, waitsForDecision } from "../waiting/deadlines.ts";

/** Processes all work that was due before the input arrived, so that the input is applied to the resulting state. */
export function passTime(step: Step): null {
  for (const run of step.state.runs) {
    if (run.status === "queued" && !step.suspended && resendAt(run) <= step.now)
      resend(step, run, "not_claimed", run.resends + 1);
  }
  askForPlaceWhenDue(step);
  sendDueAgain(step);
  if (!isPausedOrSuspended(step)) startDueTaskUpdates(step);
  if (!isPausedOrSuspended(step) || mayExpireInPause(step)) expireDeadLetters(step);
  runDueWork(step);
  // `runDueWork` may stop before the end of its list. Attempts past their deadline are recorded as timed out even then.
  for (const run of step.state.runs) if (isOverdue(step, run)) timeOut(step, run);
  applyVerdict(step);
  return null;
}

function mayExpireInPause({ suspended, state }: Step): boolean {
  return waitsForDecision(state) && !suspended;
}

export function runDueWork(step: Step): void {
  let [line, armings] = [dueWorkLastFirst(step), step.armings];
  while (!step.verdict) {
    if (step.armings !== armings) [line, armings] = [dueWorkLastFirst(step), step.armings];
    // Removes trailing items that earlier work in this loop has canceled.
    while (line.length > 0 && line.at(-1)?.isStillDue() === false) line.pop();
    const due = line.at(-1);
    const event = firstWaiting(step, due === undefined ? step.now : due.at - 1);
    const next = event ? dueEvent(step, event) : due;
    processPending(step, next === undefined ? step.now : next.at - 1);
    if (next === undefined) return;
    // `processPending` may have canceled the next item, armed further timers or requested a verdict. The loop then
    // checks its list again.
    if (step.verdict || step.armings !== armings || !next.isStillDue()) continue;
    if (!countMacrostep(step)) return;
    next.process();
  }
}

type DueWork = { readonly at: number; readonly isStillDue: () => boolean; readonly process: () => void };

/**
 * Due deadlines and timers in reverse order, so that the first item to process is last. At the same instant a deadline
 * comes before a timer. An event comes after both, so that it finds their result.
 */
function dueWorkLastFirst(step: Step): DueWork[] {
  const overdue = step.state.runs.filter((run) => isOverdue(step, run)).map((run) => dueDeadline(step, run));
  const timers = isPausedOrSuspended(step) ? [] : dueTimers(step).map((timer) => dueTimer(step, timer));
  return [...overdue, ...timers].toSorted((a, b) => a.at - b.at).toReversed();
}

function dueDeadline(step: Step, run: Run): DueWork {
  const isStillDue = (): boolean => runOf(step, run.id) === run;
  return { at: overdueAt(run), isStillDue, process: () => timeOut(step, run) };
}

function dueTimer(step: Step, timer: Timer & DueInstant): DueWork {
  return { at: timer.at, isStillDue: () => ownTimers(step).ids.has(timer.id), process: () => fireTimer(step, timer) };
}

function dueEvent(step: Step, event: BufferedEvent): DueWork {
  return {
    at: event.at ?? 0,
    isStillDue: () => step.state.buffer.includes(event),
    process: () => deliverBuffered(step, event),
  };
}

export function isOverdue({ now }: Step, run: Run): boolean {
  return run.status === "running" && overdueAt(run) <= now;
}

function fireTimer(step: Step, timer: Timer & DueInstant): void {
  dropTimer(step, timer.id);
  addEntry(step, { kind: "timer_fired", timer: timer.id, lateMs: step.now - timer.at });
  if (timer.action !== null) return startOccurrence(step, timer, timer.action);
  const { correlationId } = step.state;
  const message = { id: `${timer.id}@${timer.at}`, type: timer.id, payload: null, source: "timer", correlationId };
  deliverEvent(step, message, timer.planned ?? timer.at);
}

function startOccurrence(step: Step, timer: Timer & DueInstant, id: string): void {
  const action = actionOf(step, id);
  // A schedule may have missed several occurrences. Only the newest one gets a run, and the lateness of this run counts
  // from that occurrence.
  const occurrence = rearmSchedule(step, timer, action);
  if (!occurrence.ok) return failWithFault(step, occurrence.message);
  // While the previous run of the action is unfinished, its schedule skips occurrences, so that runs do not accumulate.
  if (step.state.runs.some((run) => run.action === id && !isFinalRun(run.status))) {
    addEntry(step, { kind: "run_skipped", run: timer.id, action: id, reason: "previous_in_progress" });
    return;
  }
  const problem = createRun(step, action, timer.state, storeTrigger(step, null, null), {
    occurrence: occurrence.value,
  });
  if (problem !== null) failWithFault(step, problem);
}
