// Rate state: a tenant's remaining rates, as this isolate knows them. Answers contain them, so that clients can slow
// down before they are refused.
import { remainingOf } from "#policy/gates/quotas/lease.ts";
import { ACTIONS_WINDOW_MS, STARTS_WINDOW_MS } from "#schema/limits/tenants/quota-leases.ts";
import { meteredQuotas, type MeteredQuota } from "#schema/quota.ts";
import { leaseOf, type QuotaDeps } from "./isolate-lease.ts";
import { tenantSettingsOf } from "./tenant-settings.ts";

export type RateState = {
  readonly quota: MeteredQuota;
  readonly max: number;
  readonly windowMs: number;
  readonly left: number;
  readonly resetMs: number;
};

export async function rateStates(deps: QuotaDeps, tenant: string): Promise<readonly RateState[]> {
  const { limits } = await tenantSettingsOf(deps, tenant);
  const { held } = leaseOf(tenant);
  const now = deps.now();
  return meteredQuotas.map((quota) => {
    const { free: left, max, resetAt } = remainingOf(held, quota, limits, now);
    return { quota, max, windowMs: windows[quota], left, resetMs: resetAt - now };
  });
}

const windows = { startsPerSecond: STARTS_WINDOW_MS, actionsPerDay: ACTIONS_WINDOW_MS } as const;
