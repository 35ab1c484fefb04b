// Queue share: limits how many of the consumer's invocations a tenant's runs may occupy in the shared queues. Runs
// beyond the share are held. The count is kept in memory with the tenant's lease, and each report of the lease contains
// it.
import { isShareUsedUp, queueShare } from "#policy/gates/quotas/queue-share.ts";
import { QUEUE_TENANT_SEEN_MS } from "#schema/limits/run-attempts.ts";
import { ATTEMPT_OVER_GRACE_MS, HELD_FOR_SHARE_MS, SHARE_LOGGED_MS } from "#schema/limits/tenants/used-quotas.ts";
import type { ActionQueue } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { tenantHold } from "./tenant-hold.ts";
import { leaseOf, refreshLease, reportWhenWorth, type QuotaDeps } from "./isolate-lease.ts";
import { tenantSettingsOf } from "./tenant-settings.ts";
import { dropOverdue, enterSlot, leaveSlot, type QuotaSlot } from "./work-in-progress.ts";

export type WithinShare = (ticket: Ticket, queue: ActionQueue, run: () => Promise<Outcome>) => Promise<Outcome>;
type OccupiedSlot = { runs: number; readonly slot: QuotaSlot };

/**
 * When this isolate last saw a queued run of each tenant, in epoch ms. The tenant that was seen longest ago is the
 * first entry.
 */
const seenAt = new Map<string, number>();

/**
 * Opens the share for one invocation of a consumer. All runs of one tenant in the invocation together occupy one slot
 * of the share.
 */
export function openQueueShare(deps: QuotaDeps): WithinShare {
  const occupied = new Map<string, OccupiedSlot>();

  return async (ticket, queue, run) => {
    const { tenant, deadlineAt } = ticket;
    const { limits } = await tenantSettingsOf(deps, tenant);
    const tenants = tenantsSeen(tenant, deps.now());
    const slot = occupied.get(tenant) ?? occupy(deps, tenant, queue, tenants);
    if (slot === null) {
      refreshLease(deps, tenant, limits);
      const why = `the tenant's actions fill the tenant's share of this queue's consumer (invocations: ${queueShare(tenants)})`;
      return tenantHold(deps, "queue_share", HELD_FOR_SHARE_MS, why);
    }
    occupied.set(tenant, slot);
    slot.runs += 1;
    slot.slot.until = Math.max(slot.slot.until, deadlineAt + ATTEMPT_OVER_GRACE_MS);
    reportWhenWorth(deps, tenant, limits);
    try {
      return await run();
    } finally {
      slot.runs -= 1;
      if (slot.runs === 0) {
        occupied.delete(tenant);
        leaveSlot(leaseOf(tenant), queue, slot.slot);
        reportWhenWorth(deps, tenant, limits);
      }
    }
  };
}

/** Occupies a slot of the tenant's share. Returns null if the share is used up; the caller then holds the run. */
function occupy(deps: QuotaDeps, tenant: string, queue: ActionQueue, tenants: number): OccupiedSlot | null {
  const lease = leaseOf(tenant);
  const now = deps.now();
  if (isShareUsedUp(lease.held, queue, tenants)) dropOverdue(lease, now);
  if (!isShareUsedUp(lease.held, queue, tenants)) return { runs: 0, slot: enterSlot(lease, queue, 0) };
  if (now >= lease.shareLoggedAt + SHARE_LOGGED_MS) {
    lease.shareLoggedAt = now;
    deps.log({ level: "warn", event: "queue_share_taken", tenant, queue, share: queueShare(tenants), tenants });
  }
  return null;
}

/** Returns the number of tenants that this isolate has seen lately, with this tenant. */
function tenantsSeen(tenant: string, now: number): number {
  seenAt.delete(tenant);
  seenAt.set(tenant, now);
  for (const [other, at] of seenAt) {
    if (at > now - QUEUE_TENANT_SEEN_MS) break;
    seenAt.delete(other);
  }
  return seenAt.size;
}
