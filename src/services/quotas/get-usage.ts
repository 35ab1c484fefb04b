// Quota usage: reads how much of its quotas a tenant uses. Stored resources are counted in the catalog. Rates come from
// the tenant's object, to which the isolates report their use within seconds.
import { countStored, countLive } from "#catalog/quotas.ts";
import { findTenant } from "#catalog/tenants.ts";
import { windowMax } from "#policy/gates/quotas/quota.ts";
import { limitsOf, type StoredQuota, type MeterView, type Quota, type Suspension } from "#schema/quota.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { noTenant } from "../caller/tenants.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Caller, Deps } from "../deps.ts";
import { reportUse } from "./isolate-lease.ts";

type Use = { readonly used: number; readonly max: number };
export type Usage = {
  readonly tenant: string;
  readonly at: number;
  readonly suspended: Suspension | null;
  readonly limits: { readonly [quota in Quota]: Use };
};

export async function getUsage(deps: Deps, caller: Caller, { id }: { readonly id: string }): Promise<Result<Usage>> {
  const isVisible = caller.actor.kind === "root" || caller.tenant === id;
  const row = isVisible ? await findTenant(deps.db, id) : null;
  if (row === null) return refuse(noTenant(id));
  const max = limitsOf(row.limits);
  // This isolate first reports its own use, so that the object's answer contains it.
  await reportUse(deps, id, max);
  const at = deps.now();
  const [storedCounts, live, view] = await Promise.all([
    countStored(deps.db, id),
    countLive(deps.db, id, at),
    callWithRetry(() => deps.meter(id).read(), "tenant"),
  ]);
  if (!view.ok) return view;
  const used: { readonly [quota in Exclude<Quota, "recurringPerMinute">]: number } = {
    ...storedCounts,
    ...usedOf(view.value, live.before + live.since),
  };
  const useOf = (quota: keyof typeof used, quotaMax: number = max[quota]): Use => ({
    used: used[quota],
    max: quotaMax,
  });
  const keptUses = Object.fromEntries(
    // Object.keys returns strings. The fields of storedCounts are exactly the quotas of type StoredQuota.
    (Object.keys(storedCounts) as StoredQuota[]).map((quota) => [quota, useOf(quota)]),
  ) as { readonly [quota in StoredQuota]: Use };
  const limits = {
    ...keptUses,
    // The limit applies to each recurring action separately, so there is no total to show.
    recurringPerMinute: { used: 0, max: max.recurringPerMinute },
    liveExecutions: useOf("liveExecutions"),
    startsPerSecond: useOf("startsPerSecond", windowMax("startsPerSecond", max)),
    actionsPerDay: useOf("actionsPerDay"),
    inFlight: useOf("inFlight"),
  };
  const suspended = row.suspendedAt === null ? null : { at: row.suspendedAt, reason: row.suspendedReason ?? "" };
  return accept({ tenant: id, at, suspended, limits });
}

/**
 * Returns the larger of two counts of live executions. The catalog may be slightly out of date, and the tenant's object
 * may already know later starts.
 */
function usedOf({ used, inFlight, live }: MeterView, listed: number) {
  return { ...used, inFlight, liveExecutions: Math.max(listed, live) };
}
