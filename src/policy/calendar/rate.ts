// Rate of a recurring action: which due occurrences follow the previous one sooner than the tenant's quota allows.
import { RECURRING_INTERVAL_MS_MIN, RECURRING_MINUTE_MS } from "#schema/limits/recurring-actions.ts";
import type { DispatchItem } from "#schema/recurring/calls.ts";

/** Returns the shortest interval between two occurrences that the quota `recurringPerMinute` allows. */
export function intervalMsOf(perMinute: number): number {
  return Math.max(RECURRING_INTERVAL_MS_MIN, RECURRING_MINUTE_MS / Math.max(1, perMinute));
}

/**
 * Returns the ids of the occurrences that are scheduled less than the interval after the previous one that may start.
 * Manual triggers may always start. So may a repeat, because its first dispatch may have started it.
 */
export function tooSoon(
  items: readonly DispatchItem[],
  lastNominal: number | null,
  intervalMs: number,
): ReadonlySet<string> {
  const refused = new Set<string>();
  let last = lastNominal ?? -Infinity;
  for (const { id, nominal, isRepeat } of items) {
    if (nominal === null) continue;
    if (isRepeat !== true && nominal - last < intervalMs) refused.add(id);
    else last = Math.max(last, nominal);
  }
  return refused;
}
