// Computes the occurrences of a recurring action from its rule, start, end and skips. Jitter only delays an occurrence.
// It is computed from the occurrence's instant, so that every computation gives the same delay.
import { nextOccurrence, occurrencesBetween, previousOccurrence } from "#kernel/calendar/occurrences.ts";
import { chanceFor } from "#kernel/execution/chance.ts";
import { RECURRING_COUNTED_MAX } from "#schema/limits/recurring-actions.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import type { RecurringState, Slot } from "#schema/recurring/state.ts";
import { ruleOf } from "./rule.ts";

type ScheduledAction = Pick<RecurringState, "id" | "spec" | "skips">;

/**
 * Returns the first scheduled occurrence strictly after the instant; null if there is none. An occurrence that an
 * operator has skipped is returned too.
 */
export function scheduledAfter(spec: RecurringSpec, after: number): number | null {
  const { startsAt, endsAt } = spec;
  const from = startsAt === null ? after : Math.max(after, startsAt - 1);
  const at = nextOccurrence(ruleOf(spec), from)?.at ?? null;
  return at === null || (endsAt !== null && at >= endsAt) ? null : at;
}

/**
 * Returns the newest scheduled occurrence after `floor` and up to `upTo`; null if there is none. An occurrence that an
 * operator has skipped is returned too.
 */
export function newestScheduled(spec: RecurringSpec, floor: number, upTo: number): number | null {
  const { startsAt, endsAt } = spec;
  const before = Math.min(upTo + 1, endsAt ?? Infinity);
  const at = previousOccurrence(ruleOf(spec), before)?.at ?? null;
  return at === null || at <= floor || (startsAt !== null && at < startsAt) ? null : at;
}

export function slotAfter(action: ScheduledAction, after: number): Slot | null {
  let nominal = scheduledAfter(action.spec, after);
  while (nominal !== null && action.skips.includes(nominal)) nominal = scheduledAfter(action.spec, nominal);
  return nominal === null ? null : slotAt(action, nominal);
}

export function slotAt({ id, spec }: Pick<RecurringState, "id" | "spec">, nominal: number): Slot {
  if (spec.jitterMs === 0) return { nominal, fireAt: nominal };
  // The jitter is limited to less than this distance, so that a delayed occurrence never follows the next one.
  const gapMs = (scheduledAfter(spec, nominal) ?? Infinity) - nominal;
  const roomMs = Math.min(spec.jitterMs + 1, gapMs);
  return { nominal, fireAt: nominal + Math.floor(chanceFor(id, nominal, 0) * roomMs) };
}

export type OccurrenceCount = { readonly count: number; readonly isCapped: boolean };

/**
 * Counts the occurrences after `after` and up to `until`; skipped ones do not count. `isCapped`: true if the count
 * stopped at the maximum.
 */
export function countBetween(
  { spec, skips }: Pick<ScheduledAction, "spec" | "skips">,
  after: number,
  until: number,
): OccurrenceCount {
  const from = Math.max(after, (spec.startsAt ?? -Infinity) - 1);
  const to = Math.min(until, (spec.endsAt ?? Infinity) - 1);
  if (to <= from) return { count: 0, isCapped: false };
  const { occurrences, more } = occurrencesBetween(ruleOf(spec), from + 1, to + 1, RECURRING_COUNTED_MAX);
  return { count: occurrences.filter(({ at }) => !skips.includes(at)).length, isCapped: more };
}
