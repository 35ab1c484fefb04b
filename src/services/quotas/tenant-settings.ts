// Tenant settings in isolates: caches quotas, pool sizes and suspension. A cached value is used immediately, and
// refreshed in the background. So only the first request of a tenant waits for D1.
import { poolOfRow } from "#catalog/pools/tenant-pools.ts";
import { findTenant } from "#catalog/tenants.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { limitsOf, type TenantSettings } from "#schema/quota.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { Deps } from "../deps.ts";
import { dropCached, openIsolateCache, cachedOrRefresh, putCached } from "../isolate-cache.ts";

export type TenantSettingsDeps = Pick<Deps, "now" | "db" | "log" | "background">;

const settingsCache = openIsolateCache<TenantSettings>({
  sizeMax: isolateCaches.tenants.sizeMax,
  freshMs: () => isolateCaches.tenants.freshMs,
  staleMs: () => isolateCaches.tenants.staleMs,
});

/** Returns the tenant's settings. It returns a promise only if this isolate has not cached them. */
export function tenantSettingsOf(deps: TenantSettingsDeps, tenant: string): TenantSettings | Promise<TenantSettings> {
  const cached = cachedOrRefresh(settingsCache, tenant, deps, () => readSettings(deps, tenant));
  return cached instanceof Promise ? cached.catch((cause: unknown) => assumeDefaults(deps, tenant, cause)) : cached;
}

/** Evicts the settings that this isolate has just changed. */
export function evictTenantSettings(tenant: string): void {
  dropCached(settingsCache, (_terms, key) => key === tenant);
}

/** Caches a pool that a cell has reported, unless the cached pool is newer. */
export function cachePool(tenant: string, pool: Pool): void {
  const cached = settingsCache.entries.get(tenant);
  if (cached === undefined || (cached.value.pool?.epoch ?? -1) >= pool.epoch) return;
  putCached(settingsCache, tenant, { ...cached.value, pool }, cached.cachedAt);
}

async function readSettings({ db }: TenantSettingsDeps, tenant: string): Promise<TenantSettings> {
  const row = await findTenant(db, tenant);
  const { suspendedAt: at = null, suspendedReason: reason = null } = row ?? {};
  const suspended = at === null ? null : { at, reason: reason ?? "" };
  return { limits: limitsOf(row?.limits ?? null), suspended, origins: row?.origins ?? [], pool: poolOfRow(row) };
}

/** Returns default settings if D1 does not answer and this isolate has cached none, so that executions continue. */
function assumeDefaults(deps: TenantSettingsDeps, tenant: string, cause: unknown): TenantSettings {
  deps.log({ level: "warn", event: "tenant_terms_unknown", tenant, message: String(cause) });
  return { limits: limitsOf(null), suspended: null, origins: null, pool: null };
}
