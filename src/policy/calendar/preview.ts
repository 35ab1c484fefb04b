// Previews the coming occurrences under the current settings, with their local times and the effects of clock changes.
import { movedFrom, occurrencesBetween, nextOccurrence, type Occurrence } from "#kernel/calendar/occurrences.ts";
import type { RecurringState } from "#schema/recurring/state.ts";
import { scheduledAfter, slotAt } from "./occurrences.ts";
import { runsAt } from "./occurrence-action.ts";
import { ruleOf } from "./rule.ts";

export type ComingOccurrence = Occurrence & {
  /** The instant at which the occurrence starts, in epoch ms: `at` plus its jitter. */
  readonly fireAt: number;
  /** The instant at which its action runs. Null if the action expires before its window opens. */
  readonly runsAt: number | null;
  readonly isSkipped: boolean;
  /** The date of the calendar from which the occurrence is moved; null if it is not moved. */
  readonly movedFrom: string | null;
};
type Previewed = Pick<RecurringState, "id" | "spec" | "skips" | "doneUntil">;

/** Returns the first `count` occurrences after the instant. Occurrences that an operator has skipped are included. */
export function comingOccurrences(recurring: Previewed, after: number, count: number): readonly ComingOccurrence[] {
  const coming: ComingOccurrence[] = [];
  const rule = ruleOf(recurring.spec);
  for (let last = after; coming.length < count;) {
    const nominal = scheduledAfter(recurring.spec, last);
    const occurrence = nominal === null ? null : nextOccurrence(rule, nominal - 1);
    if (occurrence === null) return coming;
    coming.push(withStart(recurring, occurrence));
    last = occurrence.at;
  }
  return coming;
}

/**
 * Returns the occurrences from `from` (inclusive) to `to` (exclusive). `hasMore`: true if there are more than `max`.
 */
export function occurrencesFromTo(recurring: Previewed, from: number, to: number, max: number) {
  const start = Math.max(from, recurring.spec.startsAt ?? from);
  const end = Math.min(to, recurring.spec.endsAt ?? to);
  const { occurrences, more } = occurrencesBetween(ruleOf(recurring.spec), start, end, max);
  return { occurrences: occurrences.map((each) => withStart(recurring, each)), hasMore: more };
}

function withStart(recurring: Previewed, occurrence: Occurrence): ComingOccurrence {
  const { fireAt } = slotAt(recurring, occurrence.at);
  return {
    ...occurrence,
    fireAt,
    runsAt: runsAt(recurring, occurrence.at, fireAt),
    isSkipped: recurring.skips.includes(occurrence.at),
    movedFrom: movedFrom(ruleOf(recurring.spec), occurrence.local),
  };
}
