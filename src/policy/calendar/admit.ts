// Overlap of occurrences: decides whether one starts now, waits for the previous one, or is skipped.
import { RECURRING_PENDING_MAX, RECURRING_TRIED_MS_MAX, RECURRING_TRIED_MS_MIN } from "#schema/limits/recurring.ts";
import type { OccurrenceRow, PendingDispatch, RecurringState, Waiting } from "#schema/recurring/state.ts";
import { change, record, type Current } from "./current.ts";
import { goodUntil } from "./due.ts";

export type Candidate = Pick<PendingDispatch, "id" | "kind" | "nominal" | "at" | "reason">;

/** Returns the recorded row; null if the occurrence waits. */
export function admit(step: Current, candidate: Candidate): OccurrenceRow | null {
  const { overlap } = step.state.spec;
  if (overlap === "allow" || !isBusy(step.state)) return send(step, candidate);
  if (overlap === "skip") return record(step, candidate, { outcome: "overlap", reason: whyBusy(step.state) });
  return wait(step, candidate);
}

/** Whether the previous occurrence is running, or about to start. */
export function isBusy({ live, pending, waiting }: RecurringState): boolean {
  return live.length > 0 || pending.length > 0 || waiting !== null;
}

/** Stored with its row; sent after the commit. */
export function send(step: Current, candidate: Candidate): OccurrenceRow {
  const { now, state } = step;
  const wanted = Math.max(goodUntil(state, now), now + RECURRING_TRIED_MS_MIN);
  const until = Math.min(wanted, now + RECURRING_TRIED_MS_MAX);
  const pending = [...state.pending, { ...candidate, tries: 0, retryAt: now, until, error: null }];
  change(step, { pending: pending.slice(-RECURRING_PENDING_MAX) });
  for (const given of pending.slice(0, -RECURRING_PENDING_MAX)) {
    change(step, { failed: step.state.failed + 1 });
    record(step, given, { outcome: "missed", reason: "too_many_on_their_way", error: given.error });
  }
  return record(step, candidate, { outcome: "dispatched", reason: candidate.reason });
}

/** The newest one waits; the one that waited before is skipped. */
function wait(step: Current, candidate: Candidate): null {
  const { waiting } = step.state;
  if (waiting !== null) record(step, waiting, { outcome: "overlap", reason: "replaced_by_newer" });
  const held: Waiting = candidate;
  change(step, { waiting: held });
  return null;
}

/** The status could not be read, so the occurrence counts as running. */
function whyBusy({ looking }: RecurringState): string {
  return looking !== null && looking.failures > 0 ? "not_known_to_have_ended" : "still_running";
}
