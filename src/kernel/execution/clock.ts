// What the passing of time does: what is due comes (due/come-due.ts), lost messages are sent again, history expires.
import { PROJECT_BUSY_AFTER_MS } from "#schema/limits.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { applyVerdict } from "./conclude.ts";
import { comeDue, isOverdue } from "./due/come-due.ts";
import { outboxAt, sendDueAgain } from "./outbox/outbox.ts";
import { deadLetterUntil, letLieInTheEnd, expireDeadLetters } from "./retries/redrive.ts";
import { occupiesSlot, resend } from "./runs.ts";
import { timeOut } from "./settle.ts";
import { overdueAt, resendAt } from "./waited-until.ts";
import { reconcilingWakes } from "./reconciling/wakes.ts";
import { watchedAt, watchTasks } from "./tasks/task-updates.ts";
import { isHeldUp, type Step } from "./current-step.ts";

/** All that has come due, before anything that has only just come. */
export function passTime(step: Step): null {
  for (const run of step.state.runs) {
    if (run.status === "queued" && !step.suspended && resendAt(run) <= step.now)
      resend(step, run, "not_claimed", run.resends + 1);
  }
  sendDueAgain(step);
  if (!isHeldUp(step)) watchTasks(step);
  if (!isHeldUp(step)) expireDeadLetters(step);
  comeDue(step);
  // Where something before has stopped everything, that their time is over is still to be said.
  for (const run of step.state.runs) if (isOverdue(step, run)) timeOut(step, run);
  applyVerdict(step);
  return null;
}

/** When the execution must be looked at again, or null. May lie in the past: then at once. */
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
