// Fires a recurring action: decides about all due occurrences and arms the next one in a single step.
import { RECURRING_LATENESS_UNIT_MS } from "#schema/limits/recurring-actions.ts";
import type { RecurringState, Slot } from "#schema/recurring/state.ts";
import { admitOccurrence, startOccurrence } from "./admit.ts";
import { changeState, recordOccurrence, roomLeft, type StepInProgress } from "./step-in-progress.ts";
import { dueNow } from "./due.ts";
import { slotAfter } from "./occurrences.ts";

/** Starts or records all due occurrences. `isOff`: true if this installation has recurring actions disabled. */
export function fireDue(step: StepInProgress, isOff: boolean): void {
  const { next } = step.state;
  if (next === null || step.state.status !== "active" || next.fireAt > step.now) return;
  const { fire: nominals, missed, newest } = dueNow(step.state, next, step.now);
  if (missed !== null) {
    step.rows.push(missed);
    step.events.push({ event: "recurring.missed", level: "warn", count: missed.count, reason: missed.reason });
  }
  for (const nominal of nominals.slice(0, roomLeft(step.state))) startOrRecord(step, nominal, next, isOff);
  const { doneUntil, looking } = step.state;
  // If checking the running executions has failed, the check is made again for the next occurrence.
  changeState(step, { doneUntil: Math.max(doneUntil, newest), looking: looking?.failures === 0 ? looking : null });
  // The next occurrence is searched after the decided ones and not after `now`. It may be before `now` if it is due and
  // only its jitter delays it.
  armNext(step, step.state.doneUntil);
}

function startOrRecord(step: StepInProgress, nominal: number, next: Slot, isOff: boolean): void {
  const lateMs = step.now - Math.max(nominal, nominal === next.nominal ? next.fireAt : nominal);
  const reason = lateMs >= step.state.spec.graceMs + RECURRING_LATENESS_UNIT_MS ? "caught_up" : null;
  const candidate = { id: String(nominal), kind: "schedule", nominal, at: step.now, reason } as const;
  if (isOff) recordOccurrence(step, candidate, { outcome: "excluded", reason: "switched_off" });
  else admitOccurrence(step, candidate);
}

/**
 * Arms the next occurrence that is after both `now` and all decided occurrences. An occurrence is therefore never
 * repeated, even if the clock was set back.
 */
export function armNext(step: StepInProgress, after = Math.max(step.now, step.state.doneUntil)): void {
  const { state } = step;
  const isMaximumReached = roomLeft(state) <= 0;
  changeState(step, {
    next: isMaximumReached ? null : slotAfter(state, after),
    skips: state.skips.filter((skip) => skip > after),
  });
}

/** Starts the waiting occurrence, after the previous occurrence has ended. */
export function startWaiting(step: StepInProgress): void {
  const { waiting } = step.state;
  if (waiting === null) return;
  changeState(step, { waiting: null, looking: null });
  startOccurrence(step, waiting);
}

/** Ends the recurring action if it has no planned occurrence and none in progress. Called at the end of every step. */
export function endIfDone(step: StepInProgress): void {
  const { status, next, pending, waiting } = step.state;
  if (status !== "active" || next !== null || pending.length > 0 || waiting !== null) return;
  const statusReason = endReason(step.state);
  changeState(step, { status: "completed", statusReason });
  const isEnd = statusReason === "ends_at" || statusReason === "max_executions";
  step.events.push({ event: isEnd ? "recurring.expired" : "recurring.no_next", level: "warn", reason: statusReason });
}

function endReason(state: RecurringState): string {
  if (roomLeft(state) <= 0) return "max_executions";
  return state.spec.endsAt === null ? "no_next_occurrence" : "ends_at";
}
