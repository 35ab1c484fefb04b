// The occurrences that are to come, as they would be sent if nothing changed: with local time and zone, and whether the
// clocks change there.
import { occurrencesBetween, nextOccurrence, type Occurrence } from "#kernel/calendar/occurrences.ts";
import type { RecurringState } from "#schema/recurring/state.ts";
import { nominalAfter, slotAt } from "./occurrences.ts";
import { ruleOf } from "./rule.ts";

export type ComingOccurrence = Occurrence & {
  /** When it goes: later than `at` by the jitter. */
  readonly fireAt: number;
  readonly isSkipped: boolean;
};
type Previewed = Pick<RecurringState, "id" | "spec" | "skips" | "doneUntil">;

/** The first so many after the instant, the skipped ones among them. */
export function comingOccurrences(of: Previewed, after: number, count: number): readonly ComingOccurrence[] {
  const found: ComingOccurrence[] = [];
  const rule = ruleOf(of.spec.rule);
  for (let last = after; found.length < count;) {
    const nominal = nominalAfter(of.spec, last);
    const occurrence = nominal === null ? null : nextOccurrence(rule, nominal - 1);
    if (occurrence === null) return found;
    found.push(coming(of, occurrence));
    last = occurrence.at;
  }
  return found;
}

/** From `from` on and before `to`; `hasMore`: not all of them. */
export function occurrencesFromTo(of: Previewed, from: number, to: number, max: number) {
  const start = Math.max(from, of.spec.startsAt ?? from);
  const end = Math.min(to, of.spec.endsAt ?? to);
  const { occurrences, more } = occurrencesBetween(ruleOf(of.spec.rule), start, end, max);
  return { occurrences: occurrences.map((each) => coming(of, each)), hasMore: more };
}

function coming(of: Previewed, occurrence: Occurrence): ComingOccurrence {
  const { fireAt } = slotAt(of, occurrence.at);
  return { ...occurrence, fireAt, isSkipped: of.skips.includes(occurrence.at) };
}
