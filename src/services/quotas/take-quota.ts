// Quota checks: decides whether a tenant may start one more execution or attempt, from this isolate's memory of the
// tenant's settings and lease.
import { decideUse, isInFlightFull, type UsedUpQuota } from "#policy/gates/quotas/lease.ts";
import { LEASE_TRIES_MAX } from "#schema/limits/tenants/quota-leases.ts";
import type { Limits, MeteredQuota, Quota, Suspension } from "#schema/quota.ts";
import type { Refusal } from "#schema/refusal.ts";
import { leaseOf, recordUse, refreshLease, reportUse, reportWhenWorth, type QuotaDeps } from "./isolate-lease.ts";
import { tenantSettingsOf } from "./tenant-settings.ts";
import { dropOverdue, enterSlot, leaveSlot } from "./work-in-progress.ts";

/**
 * Takes one start from the tenant's quota. Returns null if the start is allowed; otherwise returns the refusal. It
 * waits only if the quota is nearly used up, or if the tenant is new to this isolate.
 */
export async function takeStart(deps: QuotaDeps, tenant: string): Promise<Refusal | null> {
  const { limits, suspended } = await tenantSettingsOf(deps, tenant);
  if (suspended !== null) return tenantSuspended(suspended);
  const spent = await takeOne(deps, tenant, "startsPerSecond", limits);
  return spent === null ? null : quotaSpent(spent, deps.now());
}

export async function takeOne(
  deps: QuotaDeps,
  tenant: string,
  quota: MeteredQuota,
  limits: Limits,
): Promise<UsedUpQuota | null> {
  const lease = leaseOf(tenant);
  for (let tries = 0; ; tries++) {
    const choice = decideUse(lease.held, quota, limits, deps.now());
    if (choice.kind === "refuse") return choice;
    if (choice.kind === "take" || deps.now() < lease.silentUntil || tries === LEASE_TRIES_MAX) {
      recordUse(deps, lease, quota);
      reportWhenWorth(deps, tenant, limits);
      return null;
    }
    await reportUse(deps, tenant, limits);
  }
}

/**
 * Begins an attempt. Returns null if the tenant already has too many attempts in progress; the caller then holds the
 * run. The attempt counts as ended at `until` at the latest.
 */
export function beginAttempt(
  deps: QuotaDeps,
  tenant: string,
  limits: Limits,
  until: number,
): { readonly end: () => void } | null {
  const lease = leaseOf(tenant);
  if (isInFlightFull(lease.held, limits)) dropOverdue(lease, deps.now());
  if (isInFlightFull(lease.held, limits)) {
    refreshLease(deps, tenant, limits);
    return null;
  }
  const slot = enterSlot(lease, "attempts", until);
  return {
    end: () => {
      leaveSlot(lease, "attempts", slot);
      reportWhenWorth(deps, tenant, limits);
    },
  };
}

export function tenantSuspended({ reason }: Pick<Suspension, "reason">): Refusal {
  return {
    code: "tenant_suspended",
    message: `This tenant is suspended: ${reason}`,
    hint: "No execution can start, and running executions are held. Reads work. The root key can resume the tenant.",
  };
}

function quotaSpent({ limit, used, max, at }: UsedUpQuota, now: number): Refusal {
  const retryAfterS = Math.max(1, Math.ceil((at - now) / 1_000));
  return {
    code: "quota_exceeded",
    message: `This tenant has used ${used} of ${max} ${quotaWords[limit] ?? limit} (${limit}).`,
    hint: `Send the same request again after Retry-After, with the same Idempotency-Key. Or raise the limit with the root key: PATCH /v1/tenants/{id} with {"limits":{"${limit}":…}}.`,
    details: { limit, used, max, retryAfterS },
    retryAfterS,
  };
}

const quotaWords: { readonly [limit in Quota]?: string } = {
  startsPerSecond: "starts per ten seconds",
  actionsPerDay: "actions today",
  liveExecutions: "executions that have not ended",
};
