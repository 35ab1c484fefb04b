// What isolates know of tenants: their quotas, how large their pools are, whether they are suspended. Whoever works for a tenant asks here; what
// is known is believed at once and looked at again beside the work, so that nobody who knows a tenant waits for D1.
import { poolIn } from "#catalog/pools/tenant-pools.ts";
import { findTenant } from "#catalog/tenants.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { limitsOf, type TenantTerms } from "#schema/quota.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { Deps } from "../deps.ts";
import { drop, isolateCache, knownOrLook, put } from "../isolate-cache.ts";

export type TermsDeps = Pick<Deps, "now" | "db" | "log" | "background">;

const terms = isolateCache<TenantTerms>({
  sizeMax: remembered.tenants.sizeMax,
  freshMs: () => remembered.tenants.freshMs,
  staleMs: () => remembered.tenants.staleMs,
});

/** Only for a tenant that this isolate does not know is it a promise. */
export function termsOf(deps: TermsDeps, tenant: string): TenantTerms | Promise<TenantTerms> {
  const known = knownOrLook(terms, tenant, deps, () => look(deps, tenant));
  return known instanceof Promise ? known.catch((cause: unknown) => assume(deps, tenant, cause)) : known;
}

/** For the isolate in which they were changed. */
export function forgetTerms(tenant: string): void {
  drop(terms, (_terms, key) => key === tenant);
}

/** A cell has told of a pool that is later than the one known here. */
export function learnPool(tenant: string, pool: Pool): void {
  const known = terms.entries.get(tenant);
  if (known === undefined || (known.value.pool?.epoch ?? -1) >= pool.epoch) return;
  put(terms, tenant, { ...known.value, pool }, known.knownAt);
}

async function look({ db }: TermsDeps, tenant: string): Promise<TenantTerms> {
  const row = await findTenant(db, tenant);
  const { suspendedAt: at = null, suspendedReason: reason = null } = row ?? {};
  const suspended = at === null ? null : { at, reason: reason ?? "" };
  return { limits: limitsOf(row?.limits ?? null), suspended, origins: row?.origins ?? [], pool: poolIn(row) };
}

/** With D1 away executions go on: a tenant of whom nothing is known has what all have by default. */
function assume(deps: TermsDeps, tenant: string, cause: unknown): TenantTerms {
  deps.log({ level: "warn", event: "tenant_terms_unknown", tenant, message: String(cause) });
  return { limits: limitsOf(null), suspended: null, origins: null, pool: null };
}
