// Whether anything recurs for a tenant, and how close together it may: the installation's switch and the tenant's quotas.
import { RECURRING_INTERVAL_MS_MIN, RECURRING_MINUTE_MS } from "#schema/limits/recurring.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { termsOf } from "../quotas/tenant-terms.ts";

export type RecurringConfig = { readonly isOn: boolean; readonly intervalMs: number };

export async function readConfig(deps: Deps, { tenant }: Pick<TenantCaller, "tenant">): Promise<RecurringConfig> {
  const { limits } = await termsOf(deps, tenant);
  const intervalMs = Math.max(RECURRING_INTERVAL_MS_MIN, RECURRING_MINUTE_MS / Math.max(1, limits.recurringPerMinute));
  return { isOn: deps.isRecurringOn && limits.recurring > 0, intervalMs };
}
