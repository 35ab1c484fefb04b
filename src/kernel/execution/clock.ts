// The effects of time: due work (due/come-due.ts), resent messages, and expired history.
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
