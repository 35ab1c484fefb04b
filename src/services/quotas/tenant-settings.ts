// Tenant settings in isolates: caches quotas, pool sizes and suspension. A cached value is used immediately, and
// refreshed in the background. So only the first request of a tenant waits for D1.
import { poolOfRow } from "#catalog/pools/tenant-pools.ts";
import { findTenantWithPolicies } from "#catalog/tenants.ts";
import { POLICIES_LOOK_MS, POLICIES_STALE_MS } from "#schema/limits/tenants/policies.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { limitsOf, type TenantSettings } from "#schema/quota.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { Deps } from "../deps.ts";
import { withTimeLimit } from "../time-limit.ts";
import { dropCached, openIsolateCache, cachedOrRefresh, putCached, readCached } from "../isolate-cache.ts";

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

/**
 * Returns the tenant's settings, at most POLICIES_STALE_MS old. If they are older, one request waits for D1, and the
 * others use the cached value, as they all do while D1 does not answer.
 */
export function freshTenantSettings(
  deps: TenantSettingsDeps,
  tenant: string,
): TenantSettings | Promise<TenantSettings> {
  const cached = settingsCache.entries.get(tenant);
  if (cached === undefined || deps.now() < cached.cachedAt + POLICIES_STALE_MS) return tenantSettingsOf(deps, tenant);
  const read = () => withTimeLimit(POLICIES_LOOK_MS, readSettings(deps, tenant));
  return readCached(settingsCache, tenant, deps.now, read).catch((cause: unknown) =>
    assumeDefaults(deps, tenant, cause),
  );
}

/** Reads the tenant's policies from the catalog. */
export async function findPolicies({ db }: Pick<Deps, "db">, tenant: string): Promise<readonly TenantPolicy[]> {
  return (await findTenantWithPolicies(db, tenant)).policies;
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
  const { tenant: row, policies } = await findTenantWithPolicies(db, tenant);
  const { suspendedAt: at = null, suspendedReason: reason = null } = row ?? {};
  const suspended = at === null ? null : { at, reason: reason ?? "" };
  return {
    limits: limitsOf(row?.limits ?? null),
    suspended,
    origins: row?.origins ?? [],
    pool: poolOfRow(row),
    policies,
  };
}

/** Returns default settings if D1 does not answer and this isolate has cached none, so that executions continue. */
function assumeDefaults(deps: TenantSettingsDeps, tenant: string, cause: unknown): TenantSettings {
  deps.log({ level: "warn", event: "tenant_terms_unknown", tenant, message: String(cause) });
  return { limits: limitsOf(null), suspended: null, origins: null, pool: null, policies: [] };
}
