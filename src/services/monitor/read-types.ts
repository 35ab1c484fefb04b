// What a tenant's actions have come to by type: durations, repetitions, timeouts. From days that were counted.
import { countersSince } from "#catalog/metrics/run-days.ts";
import { typeFigures, type TypeFigures } from "#policy/metrics/type-figures.ts";
import { DAY_MS, TYPE_COUNTERS_MAX } from "#schema/limits/upkeep.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Caller, Deps, TenantCaller } from "../deps.ts";

type ReadDeps = Pick<Deps, "db" | "now">;
export type TypesOfTenant = { readonly tenant: string; readonly types: readonly TypeFigures[] };

export async function readTypes(
  deps: ReadDeps,
  { tenant }: TenantCaller,
  { days }: { readonly days: number },
): Promise<Result<readonly TypeFigures[]>> {
  const [found] = await ofDays(deps, tenant, days);
  return accept(found?.types ?? []);
}

/** Of the day that is: the root key, naming no tenant, sees each of them. */
export async function readTypesToday(deps: ReadDeps, { tenant }: Caller): Promise<readonly TypesOfTenant[]> {
  return ofDays(deps, tenant, 1);
}

async function ofDays(deps: ReadDeps, tenant: string | null, days: number): Promise<readonly TypesOfTenant[]> {
  const from = Math.floor(deps.now() / DAY_MS) - days + 1;
  const counters = await countersSince(deps.db, { tenant, from, limit: TYPE_COUNTERS_MAX });
  const each = Map.groupBy(counters, (counter) => counter.tenant);
  return [...each].map(([id, own]) => ({ tenant: id, types: typeFigures(own) }));
}
