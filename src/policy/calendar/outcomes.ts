// Applies results to a recurring action: its occurrences were started, refused, not delivered, or have ended. A result
// that is repeated or outdated changes nothing.
import {
  RECURRING_BACKOFF_MS,
  RECURRING_ERROR_CHARS_MAX,
  RECURRING_LIVE_MAX,
  RECURRING_RECENT_MAX,
} from "#schema/limits/recurring-actions.ts";
import type { DispatchOutcome } from "#schema/recurring/calls.ts";
import type { PendingDispatch } from "#schema/recurring/state.ts";
import { changeState, isCounted, recordOccurrence, type StepInProgress } from "./step-in-progress.ts";
import { armNext } from "./fire.ts";

export function applyOutcomes(step: StepInProgress, outcomes: readonly DispatchOutcome[]): void {
  for (const outcome of outcomes) {
    const pending = step.state.pending.find(({ id }) => id === outcome.id);
    if (pending !== undefined) applyOutcome(step, pending, outcome);
  }
}

/**
 * Records that a call for several occurrences had no response. Its effect is unknown, so it is repeated with the same
 * ids.
 */
export function recordUnreached(step: StepInProgress, ids: readonly string[], message: string): void {
  applyOutcomes(
    step,
    ids.map((id) => ({ id, kind: "unreached", message, retryAfterMs: null })),
  );
}

function applyOutcome(step: StepInProgress, pending: PendingDispatch, outcome: DispatchOutcome): void {
  switch (outcome.kind) {
    case "taken":
      return outcome.isDuplicate
        ? recordDuplicate(step, pending, outcome.execution)
        : recordStarted(step, pending, outcome.execution, outcome.createdAt ?? null);
    case "refused":
      return recordNotStarted(step, pending, outcome.code, outcome.message);
    case "unreached":
      return retryLater(step, pending, outcome.message, outcome.retryAfterMs);
  }
}

function recordStarted(
  step: StepInProgress,
  pending: PendingDispatch,
  execution: string,
  createdAt: number | null,
): void {
  const { state, now } = step;
  removePending(step, pending);
  const live = [...state.live, { execution, isCanceled: false }].slice(-RECURRING_LIVE_MAX);
  const started = { nominal: pending.nominal, execution, createdAt };
  changeState(step, {
    count: state.count + (isCounted(pending) ? 1 : 0),
    lastExecutedAt: now,
    lastError: null,
    live: state.spec.overlap === "allow" ? [] : live,
    recent: [...(state.recent ?? []), started].slice(-RECURRING_RECENT_MAX),
  });
  recordOccurrence(step, pending, { outcome: "dispatched", reason: pending.reason, dispatchedAt: now, execution });
  const lateMs = now - (pending.nominal ?? pending.at);
  step.events.push({ event: "recurring.dispatch", level: "info", occurrence: pending.id, execution, lateMs });
}

/** Records an occurrence that started nothing, because an earlier action has its dedup key. */
function recordDuplicate(step: StepInProgress, pending: PendingDispatch, execution: string): void {
  removePending(step, pending);
  changeState(step, { lastError: null });
  recordOccurrence(step, pending, { outcome: "deduplicated", reason: pending.reason, execution });
  step.events.push({ event: "recurring.deduplicated", level: "info", occurrence: pending.id, execution });
  armIfNone(step);
}

function armIfNone(step: StepInProgress): void {
  if (step.state.status === "active" && step.state.next === null) armNext(step);
}

/**
 * Records an occurrence whose start was refused. The schedule continues. The occurrence does not count towards the
 * maximum number.
 */
function recordNotStarted(step: StepInProgress, pending: PendingDispatch, reason: string, message: string): void {
  const error = message.slice(0, RECURRING_ERROR_CHARS_MAX);
  removePending(step, pending);
  changeState(step, { failed: step.state.failed + 1, lastError: error });
  recordOccurrence(step, pending, { outcome: "missed", reason, error });
  step.events.push({ event: "recurring.dispatch_error", level: "error", occurrence: pending.id, reason, message });
  armIfNone(step);
}

function retryLater(
  step: StepInProgress,
  pending: PendingDispatch,
  message: string,
  retryAfterMs: number | null,
): void {
  const { first, most } = RECURRING_BACKOFF_MS;
  const tries = pending.tries + 1;
  const gapMs = Math.max(retryAfterMs ?? 0, Math.min(most, first * 2 ** (tries - 1)));
  const retryAt = step.now + gapMs;
  if (retryAt > pending.until) return recordNotStarted(step, pending, "not_dispatched", message);
  const error = message.slice(0, RECURRING_ERROR_CHARS_MAX);
  const retried = { ...pending, tries, retryAt, error };
  changeState(step, {
    pending: step.state.pending.map((each) => (each.id === pending.id ? retried : each)),
    lastError: error,
  });
  step.events.push({ event: "recurring.dispatch_error", level: "error", occurrence: pending.id, tries, message });
}

function removePending(step: StepInProgress, { id }: PendingDispatch): void {
  changeState(step, { pending: step.state.pending.filter((each) => each.id !== id) });
}

/**
 * Applies the result of a check of executions. `checked`: the executions that were checked. `running`: those of them
 * that are still running.
 */
export function recordChecked(step: StepInProgress, running: readonly string[], checked: readonly string[]): void {
  const ended = new Set(checked.filter((execution) => !running.includes(execution)));
  changeState(step, {
    live: step.state.live.filter(({ execution }) => !ended.has(execution)),
    looking: { ...nextCheck(step), askedAt: step.now, failures: 0 },
  });
}

export function recordCheckFailure(step: StepInProgress, message: string): void {
  const { askedAt = 0, failures = 0 } = step.state.looking ?? {};
  changeState(step, { looking: { ...nextCheck(step), askedAt, failures: failures + 1 } });
  step.events.push({ event: "recurring.check_failed", level: "warn", failures: failures + 1, message });
}

/** Returns when to check again. The delay doubles after each check. */
function nextCheck({ state, now }: StepInProgress): { readonly gapMs: number; readonly nextAt: number } {
  const { first, most } = RECURRING_BACKOFF_MS;
  const gapMs = Math.min(most, state.looking === null ? first : state.looking.gapMs * 2);
  return { gapMs, nextAt: now + gapMs };
}

/** Marks executions whose cancellation was requested. Later checks find out whether they have ended. */
export function recordCanceled(step: StepInProgress, executions: readonly string[]): void {
  const live = step.state.live.map((each) =>
    executions.includes(each.execution) ? { ...each, isCanceled: true } : each,
  );
  changeState(step, { live, looking: null });
}
