// Computes the shortest distance between occurrences of a rule.
import { nextOccurrence } from "#kernel/calendar/occurrences.ts";
import { RECURRING_GAPS_COMPARED } from "#schema/limits/recurring-actions.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import { ruleOf } from "./rule.ts";

/**
 * Returns the shortest distance in ms among the next occurrences, including those that a clock change brings closer
 * together. null if there are fewer than two.
 */
export function shortestGapMs(spec: Pick<RecurringSpec, "rule" | "calendars">, now: number): number | null {
  const rule = ruleOf(spec);
  let shortest: number | null = null;
  let last: number | null = null;
  for (let compared = 0; compared < RECURRING_GAPS_COMPARED; compared += 1) {
    const at: number | null = nextOccurrence(rule, last ?? now)?.at ?? null;
    if (at === null) return shortest;
    if (last !== null && (shortest === null || at - last < shortest)) shortest = at - last;
    last = at;
  }
  return shortest;
}
