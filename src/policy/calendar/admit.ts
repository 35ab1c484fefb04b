// Decides whether an occurrence starts now, waits for the previous occurrence, or is skipped. The `overlap` setting of
// the recurring action decides this.
import {
  RECURRING_PENDING_MAX,
  RECURRING_TRIED_MS_MAX,
  RECURRING_TRIED_MS_MIN,
} from "#schema/limits/recurring-actions.ts";
import type { OccurrenceRow, PendingDispatch, RecurringState, WaitingOccurrence } from "#schema/recurring/state.ts";
import { changeState, recordOccurrence, type StepInProgress } from "./step-in-progress.ts";
import { startableUntil } from "./due.ts";

export type Candidate = Pick<PendingDispatch, "id" | "kind" | "nominal" | "at" | "reason">;

/** Returns the row that was recorded for the occurrence; null if the occurrence waits, because it has no row yet. */
export function admitOccurrence(step: StepInProgress, candidate: Candidate): OccurrenceRow | null {
  const { overlap } = step.state.spec;
  if (overlap === "allow" || !isBusy(step.state)) return startOccurrence(step, candidate);
  if (overlap === "skip")
    return recordOccurrence(step, candidate, { outcome: "overlap", reason: overlapReason(step.state) });
  return makeWait(step, candidate);
}

/** Returns whether an earlier occurrence is in progress: running, pending its start, or waiting. */
export function isBusy({ live, pending, waiting }: RecurringState): boolean {
  return live.length > 0 || pending.length > 0 || waiting !== null;
}

/** Adds the occurrence to the pending starts. The object sends its start after the commit. */
export function startOccurrence(step: StepInProgress, candidate: Candidate): OccurrenceRow {
  const { now, state } = step;
  const latestStart = Math.max(startableUntil(state, now), now + RECURRING_TRIED_MS_MIN);
  const until = Math.min(latestStart, now + RECURRING_TRIED_MS_MAX);
  const pending = [...state.pending, { ...candidate, tries: 0, retryAt: now, until, error: null }];
  changeState(step, { pending: pending.slice(-RECURRING_PENDING_MAX) });
  for (const dropped of pending.slice(0, -RECURRING_PENDING_MAX)) {
    changeState(step, { failed: step.state.failed + 1 });
    recordOccurrence(step, dropped, { outcome: "missed", reason: "too_many_pending", error: dropped.error });
  }
  return recordOccurrence(step, candidate, { outcome: "dispatched", reason: candidate.reason });
}

/** Makes the occurrence wait. If another occurrence is already waiting, that one is skipped. */
function makeWait(step: StepInProgress, candidate: Candidate): null {
  const { waiting } = step.state;
  if (waiting !== null) recordOccurrence(step, waiting, { outcome: "overlap", reason: "replaced_by_newer" });
  const held: WaitingOccurrence = candidate;
  changeState(step, { waiting: held });
  return null;
}

/** An execution whose status could not be read is treated as running. */
function overlapReason({ looking }: RecurringState): string {
  return looking !== null && looking.failures > 0 ? "not_known_to_have_ended" : "still_running";
}
