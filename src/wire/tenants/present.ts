// Tenants as API objects.
import type { ApiTenant, ApiTenantUsage } from "./shape.ts";
import { ACTIONS_WINDOW_MS, STARTS_WINDOW_MS } from "#schema/limits/tenants/quota-leases.ts";
import { QUOTA_WARN_SHARE } from "#schema/limits/tenants/tenant-quotas.ts";
import { limitsOf, quotaNames, type OwnLimits, type Quota, type Suspension } from "#schema/quota.ts";
import { toInstant } from "#schema/values.ts";

type Tenant = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly retentionDays: number;
  readonly limits: OwnLimits | null;
  readonly suspendedAt: number | null;
  readonly suspendedReason: string | null;
  readonly origins: readonly string[] | null;
};

export function presentTenant(tenant: Tenant): ApiTenant {
  const { id, name, createdAt, retentionDays, limits, suspendedAt, suspendedReason } = tenant;
  const origins = [...(tenant.origins ?? [])];
  const suspended = suspendedAt === null ? null : { at: toInstant(suspendedAt), reason: suspendedReason ?? "" };
  return { id, name, createdAt: toInstant(createdAt), retentionDays, limits: limitsOf(limits), origins, suspended };
}

type Use = { readonly used: number; readonly max: number };
type Usage = {
  readonly tenant: string;
  readonly at: number;
  readonly suspended: Suspension | null;
  readonly limits: { readonly [quota in Quota]: Use };
};

export function presentUsage({ tenant, at, suspended, limits }: Usage): ApiTenantUsage {
  const uses = quotaNames.map((name) => [name, presentUse(name, limits[name])]);
  return {
    tenant,
    at: toInstant(at),
    suspended: suspended && { at: toInstant(suspended.at), reason: suspended.reason },
    limits: Object.fromEntries(uses) as ApiTenantUsage["limits"], // Object.fromEntries returns an object type without field names, so the type is asserted.
  };
}

function presentUse(name: Quota, { used, max }: Use): ApiTenantUsage["limits"][Quota] {
  const windowMs = windows[name];
  return {
    used,
    max,
    ...(windowMs === undefined ? {} : { windowSeconds: windowMs / 1_000 }),
    warning: used > 0 && used >= max * QUOTA_WARN_SHARE,
  };
}

const windows: { readonly [quota in Quota]?: number } = {
  startsPerSecond: STARTS_WINDOW_MS,
  actionsPerDay: ACTIONS_WINDOW_MS,
};
