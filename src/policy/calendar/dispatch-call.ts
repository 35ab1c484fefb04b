// Dispatch calls: what a recurring action's object sends to the Worker to start occurrences.
import type { DispatchItem, DispatchSource } from "#schema/recurring/calls.ts";
import type { PendingDispatch, RecurringState } from "#schema/recurring/state.ts";
import { datesOf } from "./follow.ts";

export type DispatchCall = { readonly terms: DispatchSource; readonly items: readonly DispatchItem[] };

export function dispatchCall(state: RecurringState, pending: readonly PendingDispatch[]): DispatchCall {
  const { tenant, id, spec, recent = [] } = state;
  const { namespace, work, rule } = spec;
  const calendars = spec.calendars && { calendars: datesOf(spec.calendars) };
  const terms = { tenant, id, namespace, work, timezone: rule.timezone, ...calendars };
  const started = recent.flatMap(({ nominal }) => nominal ?? []);
  const items = pending.map(({ id: item, nominal, at, tries }) => ({
    id: item,
    nominal,
    at,
    ...(tries === 0 ? {} : { isRepeat: true as const }),
  }));
  return { terms: started.length === 0 ? terms : { ...terms, lastNominal: Math.max(...started) }, items };
}
