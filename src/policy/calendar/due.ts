// Decides which due occurrences are started and which count as missed. An occurrence that is late by less than the
// grace time is started. The number of late occurrences that are caught up is limited.
import { RECURRING_CAUGHT_UP_MAX, RECURRING_LATENESS_UNIT_MS } from "#schema/limits/recurring-actions.ts";
import type { OccurrenceRow, RecurringState, Slot } from "#schema/recurring/state.ts";
import { countBetween, newestScheduled, slotAt } from "./occurrences.ts";

export type DueOccurrences = {
  /** The instants of the occurrences to start, the oldest first. */
  readonly fire: readonly number[];
  readonly missed: OccurrenceRow | null;
  /** This step decides all occurrences up to this instant. */
  readonly newest: number;
};

export function dueNow(state: RecurringState, next: Slot, now: number): DueOccurrences {
  const newest = newestDue(state, next, now);
  const fire = occurrencesToStart(state, next, newest, now);
  const [oldest] = fire;
  if (oldest === next.nominal) return { fire, missed: null, newest };
  const until = oldest === undefined ? newest : (newestBefore(state, next, oldest) ?? next.nominal);
  return { fire, missed: missedRow(state, next, until, now), newest };
}

/** Returns the last instant at which an occurrence that is due at `fireAt` may start. */
export function startableUntil({ spec }: Pick<RecurringState, "spec">, fireAt: number): number {
  return fireAt + (spec.catchUp === "none" ? spec.graceMs : Math.max(spec.graceMs, spec.catchUpWindowMs));
}

/** Returns the newest occurrence that is due after its jitter. If there is none, returns the armed one. */
function newestDue(state: RecurringState, next: Slot, now: number): number {
  let newest = newestBefore(state, next, now + 1);
  if (newest !== null && slotAt(state, newest).fireAt > now) newest = newestBefore(state, next, newest);
  return newest ?? next.nominal;
}

/**
 * Returns the newest occurrence before the instant that no operator has skipped. null if there is none after the armed
 * one.
 */
function newestBefore(state: RecurringState, { nominal }: Slot, instant: number): number | null {
  const floor = Math.max(state.doneUntil, nominal);
  let found = newestScheduled(state.spec, floor, instant - 1);
  while (found !== null && state.skips.includes(found)) found = newestScheduled(state.spec, floor, found - 1);
  return found;
}

function occurrencesToStart(state: RecurringState, next: Slot, newest: number, now: number): readonly number[] {
  const isStartable = (nominal: number): boolean =>
    now < startableUntil(state, fireAtOf(state, next, nominal)) + RECURRING_LATENESS_UNIT_MS;
  if (!isStartable(newest)) return [];
  if (state.spec.catchUp !== "all") return [newest];
  const toStart = [newest];
  for (let at = newest; at !== next.nominal && toStart.length < RECURRING_CAUGHT_UP_MAX;) {
    at = newestBefore(state, next, at) ?? next.nominal;
    if (!isStartable(at)) break;
    toStart.unshift(at);
  }
  return toStart;
}

function fireAtOf(state: RecurringState, next: Slot, nominal: number): number {
  return nominal === next.nominal ? next.fireAt : slotAt(state, nominal).fireAt;
}

function missedRow(state: RecurringState, { nominal }: Slot, until: number, now: number): OccurrenceRow {
  const after = Math.max(state.doneUntil, nominal);
  const more = countBetween(state, after, until);
  return {
    id: String(nominal),
    at: nominal,
    kind: "schedule",
    nominal,
    until: until === nominal ? null : until,
    count: more.count + 1,
    isCapped: more.isCapped,
    outcome: "missed",
    reason: missedReason(state),
    recordedAt: now,
    dispatchedAt: null,
    execution: null,
    error: null,
  };
}

function missedReason({ spec }: RecurringState): string {
  switch (spec.catchUp) {
    case "none":
      return "late";
    case "last":
      return "newer_occurrence_due";
    case "all":
      return "too_old_to_catch_up";
  }
}
