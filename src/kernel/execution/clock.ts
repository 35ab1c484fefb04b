// The passing of time: due work in order of its instants, messages sent again, history that expires; and the next wake.
import { isStale, tickAfter, type Reconciling } from "#schema/engine/reconciling.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState, BufferedEvent, Timer } from "#schema/engine/state.ts";
import { PROJECT_BUSY_AFTER_MS } from "#schema/limits.ts";
import { applyVerdict } from "./conclude.ts";
import { isHeldUp, type Step, actionOf, note, remember, runOf } from "./current-step.ts";
import { countMacrostep, deliver, drain, fault, firstWaiting, take } from "./drive.ts";
import { outboxAt, sendDueAgain } from "./outbox/outbox.ts";
import { dropTimer, ownTimers } from "./own-lists.ts";
import { actionInFlight } from "./reconciling/action-status.ts";
import { deadLetterUntil, letLieInTheEnd, expireDeadLetters } from "./retries/redrive.ts";
import { occupiesSlot, resend, createRun } from "./runs.ts";
import { timeOut } from "./settle.ts";
import { watchedAt, watchTasks } from "./tasks/tasks.ts";
import { dueTimers, rearmSchedule, type Due } from "./timers.ts";
import { overdueAt, resendAt } from "./attempts.ts";

/** Processes everything due before the input itself. */
export function passTime(step: Step): null {
  for (const run of step.state.runs) {
    if (run.status === "queued" && !step.suspended && resendAt(run) <= step.now)
      resend(step, run, "not_claimed", run.resends + 1);
  }
  sendDueAgain(step);
  if (!isHeldUp(step)) watchTasks(step);
  if (!isHeldUp(step)) expireDeadLetters(step);
  comeDue(step);
  // If the execution stopped before, overdue attempts are still recorded as timed out.
  for (const run of step.state.runs) if (isOverdue(step, run)) timeOut(step, run);
  applyVerdict(step);
  return null;
}

/** The next wake of the execution, or null. May be in the past, which means at once. */
export function nextWake(state: ExecutionState, now: number): number | null {
  const wakes = state.runs.filter(({ status }) => status === "running").map(overdueAt);
  const outbox = outboxAt(state);
  if (outbox !== null) wakes.push(outbox);
  if (state.unprojectedSince !== null) wakes.push(state.unprojectedSince + PROJECT_BUSY_AFTER_MS);
  if (state.status !== "paused") wakes.push(...dueWork(state, now));
  if (state.reconciling && state.status !== "paused") wakes.push(...reconcilingWakes(state, now));
  if (state.retainUntil !== null && wakes.length === 0) wakes.push(state.retainUntil);
  return wakes.length > 0 ? Math.min(...wakes) : null;
}

/** Whether an alarm can be set for the wake. */
export function isWakeSound(state: ExecutionState, now: number): boolean {
  const at = nextWake(state, now);
  return at === null || Number.isFinite(at);
}

function dueWork(state: ExecutionState, now: number): readonly number[] {
  const { timers, runs } = state;
  const sent = runs.filter(({ status }) => status === "queued").map(resendAt);
  // A due run waits for a slot, and the settlement that frees one starts it. If all slots are free, the run was held
  // with its tenant, and needs a wake of its own.
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

export function comeDue(step: Step): void {
  let [line, armings] = [lineUp(step), step.armings];
  while (!step.verdict) {
    if (step.armings !== armings) [line, armings] = [lineUp(step), step.armings];
    // The work of one may cancel others.
    while (line.length > 0 && line.at(-1)?.isStill() === false) line.pop();
    const due = line.at(-1);
    const event = firstWaiting(step, due === undefined ? step.now : due.at - 1);
    const next = event ? eventComing(step, event) : due;
    drain(step, next === undefined ? step.now : next.at - 1);
    if (next === undefined) return;
    // An earlier item may have come due, or others were added.
    if (step.verdict || step.armings !== armings || !next.isStill()) continue;
    if (!countMacrostep(step)) return;
    next.come();
  }
}

type Coming = { readonly at: number; readonly isStill: () => boolean; readonly come: () => void };

/**
 * The first item is last. At one instant a deadline comes before a timer, and both before an event, which then sees the
 * result.
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
  return { at: event.at ?? 0, isStill: () => step.state.buffer.includes(event), come: () => take(step, event) };
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
  // All missed occurrences become one, the newest; its lateness counts from there.
  const occurrence = rearmSchedule(step, timer, action);
  if (!occurrence.ok) return fault(step, occurrence.message);
  // An occurrence that overlaps the previous run would only pile up behind it.
  if (step.state.runs.some((run) => run.action === id && !isFinalRun(run.status))) {
    note(step, { kind: "run_skipped", run: timer.id, action: id, reason: "previous_still_under_way" });
    return;
  }
  const problem = createRun(step, action, timer.state, remember(step, null, null), { occurrence: occurrence.value });
  if (problem !== null) fault(step, problem);
}

export function reconcilingWakes(state: ExecutionState, now: number): readonly number[] {
  const { reconciling, position, createdAt } = state;
  if (!reconciling || position.done) return [];
  const { tickAt, watches } = reconciling;
  const isWatching = watches && actionInFlight(state) === undefined && !isStale(reconciling, now);
  return [
    // A past tick was made and had no effect.
    ...(tickAt !== null && tickAt > now ? [tickAt] : []),
    ...(isWatching ? [tickAfter(reconciling, createdAt, now)] : []),
    ...collectsAt(reconciling),
  ];
}

function collectsAt({ collecting }: Reconciling): readonly number[] {
  if (!collecting) return [];
  const { run, dueAt } = collecting;
  if (run === null) return [dueAt];
  return [run.status === "queued" ? resendAt(run) : overdueAt(run)];
}
