// What the passing of time does: timers fire, deadlines pass, lost messages are sent again, history expires.
import { PROJECT_BUSY_AFTER_MS, RESEND_GAPS_MS } from "#schema/limits.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";
import { assert } from "../assert.ts";
import { applyVerdict } from "./conclude.ts";
import { deliver, fault, countMacrostep, drain } from "./drive.ts";
import { enlistAgain, enlistAt } from "./owed/enlisting.ts";
import { deadLetterUntil, letLieInTheEnd, expireDeadLetters } from "./retries/redrive.ts";
import { dropTimer, ownTimers } from "./own-lists.ts";
import { createRun, occupiesSlot, resend } from "./runs.ts";
import { overdueAt, timeOut } from "./settle.ts";
import { resendSignal, signalAt } from "./owed/signal.ts";
import { subjectAt, tellSubjectAgain } from "./subject/farewell.ts";
import { errandsAt, resendErrands, watchedAt, watchTasks } from "./tasks/errands.ts";
import { dueTimers, rearmSchedule, type Due } from "./timers.ts";
import { actionOf, isHeldUp, note, remember, type Step } from "./current-step.ts";

/** Due timers first, each with all it sets off, so that an event that comes later finds the race decided. */
export function passTime(step: Step): null {
  for (const run of step.state.runs) {
    if (run.status === "running" && overdueAt(run) <= step.now) timeOut(step, run);
    else if (run.status === "queued" && !step.suspended && resendAt(run) <= step.now)
      resend(step, run, "not_claimed", run.resends + 1);
  }
  resendSignal(step);
  resendErrands(step);
  enlistAgain(step);
  tellSubjectAgain(step);
  if (!isHeldUp(step)) watchTasks(step);
  if (!isHeldUp(step)) expireDeadLetters(step);
  drain(step);
  if (!isHeldUp(step)) fireDue(step);
  applyVerdict(step);
  return null;
}

function fireDue(step: Step): void {
  let due = dueTimers(step);
  for (let next = 0; next < due.length && !step.verdict; next += 1) {
    const timer = due[next];
    // What one sets off may take others back.
    if (timer === undefined || !ownTimers(step).ids.has(timer.id)) continue;
    if (!countMacrostep(step)) return;
    const { armings } = step;
    fire(step, timer);
    drain(step);
    if (step.armings === armings) continue;
    // Or put others in line.
    due = dueTimers(step);
    next = -1;
  }
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
  // All that was missed is one occurrence, the newest: what is late counts from there.
  const occurrence = rearmSchedule(step, timer, action);
  if (!occurrence.ok) return fault(step, occurrence.message);
  // An occurrence while the last one is still under way would only pile up behind it.
  if (step.state.runs.some((run) => run.action === id && !isFinalRun(run.status))) {
    note(step, { kind: "run_skipped", run: timer.id, action: id, reason: "previous_still_under_way" });
    return;
  }
  const problem = createRun(step, action, timer.state, remember(step, null, null), { occurrence: occurrence.value });
  if (problem !== null) fault(step, problem);
}

function resendAt({ id, sentAt, resends }: Run): number {
  assert(sentAt !== null, `run ${id} is queued and knows when it was sent`);
  return sentAt + Number(RESEND_GAPS_MS[Math.min(resends, RESEND_GAPS_MS.length - 1)]); // the index is in range
}

/** When the execution must be looked at again, or null. May lie in the past: then at once. */
export function nextWake(state: ExecutionState, now: number): number | null {
  const wakes = state.runs.filter(({ status }) => status === "running").map(overdueAt);
  const owed = signalAt(state);
  if (owed !== null) wakes.push(owed);
  const errands = errandsAt(state);
  if (errands !== null) wakes.push(errands);
  const enlisting = enlistAt(state);
  if (enlisting !== null) wakes.push(enlisting);
  const subject = subjectAt(state);
  if (subject !== null) wakes.push(subject);
  if (state.unprojectedSince !== null) wakes.push(state.unprojectedSince + PROJECT_BUSY_AFTER_MS);
  if (state.status !== "paused") wakes.push(...dueWork(state, now));
  if (state.retainUntil !== null && wakes.length === 0) wakes.push(state.retainUntil);
  return wakes.length > 0 ? Math.min(...wakes) : null;
}

/** Whoever arms the alarm can make sense of it. */
export function isWakeSound(state: ExecutionState, now: number): boolean {
  const at = nextWake(state, now);
  return at === null || Number.isFinite(at);
}

function dueWork(state: ExecutionState, now: number): readonly number[] {
  const { timers, runs } = state;
  const sent = runs.filter(({ status }) => status === "queued").map(resendAt);
  // A run that is due already waits for a slot, and the settlement that frees it will look. Where all slots are free it
  // was held up with its tenant, and nobody else would look.
  const isIdle = !runs.some(occupiesSlot);
  const waiting = runs.filter(
    ({ status, dueAt }) => status === "retry" || (status === "scheduled" && (isIdle || Number(dueAt) > now)),
  );
  const dead = letLieInTheEnd(state).map(deadLetterUntil);
  return [
    ...sent,
    ...dead,
    ...watchedAt(state),
    ...[...timers.map(({ at }) => at), ...waiting.map(({ dueAt }) => dueAt)].filter((at) => at !== null),
  ];
}
