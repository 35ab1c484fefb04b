// How much recurs, for whoever watches: what was dispatched, what is active, what failed to be. Kept with the rows that
// really changed, and added up when asked.
import { recurringTotals, type RecurringTotals } from "#catalog/recurring.ts";
import type { Caller, Deps } from "../deps.ts";

export type Totals = { readonly at: number; readonly tenants: readonly RecurringTotals[] };

/** The root key, naming no tenant, sees each of them. */
export async function readTotals(deps: Deps, { tenant }: Caller): Promise<Totals> {
  return { at: deps.now(), tenants: await recurringTotals(deps.db, tenant) };
}
