// Pool resizing: enlarges a tenant's pool when one of its cells reports overload, and shrinks it after a long time with
// low load. Of two concurrent changes of a pool, one is applied and the other changes nothing.
import { changePool, recordPoolNeed, unneededPools } from "#catalog/pools/tenant-pools.ts";
import { isSizeNeeded, isOverloaded } from "#policy/pools/load.ts";
import { growPool, shrinkPool } from "#policy/pools/resize.ts";
import { POOLS_SHRUNK_MAX, POOL_NEEDED_REPORT_EVERY_MS, POOL_SHRINK_AFTER_MS } from "#schema/limits/pool-cells.ts";
import type { Pool, PoolReport } from "#schema/placement/tenant-pool.ts";
import type { Deps } from "../deps.ts";
import { evictTenantSettings, tenantSettingsOf, type TenantSettingsDeps } from "../quotas/tenant-settings.ts";

type ResizeDeps = Pick<Deps, "db" | "now" | "log">;

export async function applyLoadReport(
  deps: TenantSettingsDeps & ResizeDeps,
  tenant: string,
  report: PoolReport,
): Promise<void> {
  // If the reporting cell knows a newer pool than this isolate, the isolate's cached settings are out of date and are
  // evicted.
  if (((await tenantSettingsOf(deps, tenant)).pool?.epoch ?? report.epoch) < report.epoch) evictTenantSettings(tenant);
  const { pool } = await tenantSettingsOf(deps, tenant);
  if (pool === null) return;
  const resized = growPool(pool, report);
  if (resized !== null) await resize(deps, tenant, pool, resized, report);
  else if (isSizeNeeded(report) || isOverloaded(report)) {
    await recordPoolNeed(deps.db, tenant, deps.now(), deps.now() - POOL_NEEDED_REPORT_EVERY_MS / 2);
  }
}

/** Shrinks each pool that was larger than needed for a day to a quarter of its size. Each sweep calls this. */
export async function shrinkQuietPools(deps: ResizeDeps): Promise<{ readonly pools_shrunk: number }> {
  const quiet = await unneededPools(deps.db, deps.now() - POOL_SHRINK_AFTER_MS, POOLS_SHRUNK_MAX);
  let count = 0;
  for (const { tenant, pool } of quiet) {
    const resized = shrinkPool(pool);
    if (resized !== null && (await resize(deps, tenant, pool, resized, null))) count += 1;
  }
  return { pools_shrunk: count };
}

async function resize(
  { db, now, log }: Pick<Deps, "db" | "now" | "log">,
  tenant: string,
  from: Pool,
  resized: Pool,
  report: PoolReport | null,
): Promise<boolean> {
  const isDone = await changePool(db, tenant, from, resized, now());
  evictTenantSettings(tenant);
  if (isDone) log({ level: "info", event: "pool_resized", tenant, from: from.size, to: resized.size, ...report });
  return isDone;
}
