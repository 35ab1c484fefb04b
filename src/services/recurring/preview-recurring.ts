// The occurrences to come: the next so many, or all between two instants. The very function that arms them.
import { comingOccurrences, occurrencesFromTo, type ComingOccurrence } from "#policy/calendar/preview.ts";
import { recurringLimits } from "#schema/limits/recurring.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { readRecurring, type RecurringName } from "./recurring-view.ts";

export type PreviewRecurring = RecurringName & {
  readonly count: number;
  /** With `to`: those from then on and before that. */
  readonly from: number | null;
  readonly to: number | null;
};
export type PreviewedRecurring = {
  readonly timezone: string;
  readonly occurrences: readonly ComingOccurrence[];
  readonly hasMore: boolean;
};

export async function previewRecurring(
  deps: Deps,
  caller: TenantCaller,
  { count, from, to, ...name }: PreviewRecurring,
): Promise<Result<PreviewedRecurring>> {
  const read = await readRecurring(deps, caller, name);
  if (!read.ok) return read;
  const { timezone } = read.value.spec.rule;
  const start = from ?? deps.now();
  if (to !== null) {
    const found = occurrencesFromTo(read.value, start, to, recurringLimits.previewMax);
    return accept({ timezone, ...found });
  }
  const found = comingOccurrences(read.value, start - (from === null ? 0 : 1), count + 1);
  return accept({ timezone, occurrences: found.slice(0, count), hasMore: found.length > count });
}
