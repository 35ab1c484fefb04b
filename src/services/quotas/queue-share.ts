// Queue share: how many of the consumer's invocations a tenant's runs may occupy in the shared queues. Runs beyond the
// share are held. It is counted with the tenant's lease, in memory, and travels with the lease's reports.
import { isShareTaken, queueShare } from "#policy/gates/quotas/queue-share.ts";
import { QUEUE_TENANT_SEEN_MS } from "#schema/limits/queues.ts";
import { HELD_FOR_SHARE_MS, PLACE_GRACE_MS } from "#schema/limits/tenant-quotas.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { held } from "./held.ts";
import { leaseOf, tellWhenWorth, type QuotaDeps } from "./isolate-lease.ts";
import { termsOf } from "./tenant-terms.ts";
import { dropOverdue, enter, leave, type Place } from "./under-way.ts";

export type WithinShare = (ticket: Ticket, run: () => Promise<Outcome>) => Promise<Outcome>;
type Occupied = { runs: number; readonly place: Place };

/** When this isolate last saw a run of each tenant, the longest ago first. */
const seenAt = new Map<string, number>();

/** For one invocation of the consumer. A tenant's runs in it occupy one slot of the share. */
export function openQueueShare(deps: QuotaDeps): WithinShare {
  const occupied = new Map<string, Occupied>();

  return async (ticket, run) => {
    const { tenant, deadlineAt } = ticket;
    const { limits } = await termsOf(deps, tenant);
    const tenants = tenantsSeen(tenant, deps.now());
    const mine = occupied.get(tenant) ?? occupy(deps, tenant, tenants);
    if (mine === null) {
      const why = `the tenant's actions occupy ${queueShare(tenants)} consumers of the queues`;
      return held(deps, "queue_share", HELD_FOR_SHARE_MS, why);
    }
    occupied.set(tenant, mine);
    mine.runs += 1;
    mine.place.until = Math.max(mine.place.until, deadlineAt + PLACE_GRACE_MS);
    tellWhenWorth(deps, tenant, limits);
    try {
      return await run();
    } finally {
      mine.runs -= 1;
      if (mine.runs === 0) {
        occupied.delete(tenant);
        leave(leaseOf(tenant), "consumers", mine.place);
        tellWhenWorth(deps, tenant, limits);
      }
    }
  };
}

/** null: its share is used up. */
function occupy({ now }: QuotaDeps, tenant: string, tenants: number): Occupied | null {
  const lease = leaseOf(tenant);
  if (isShareTaken(lease.held, tenants)) dropOverdue(lease, now());
  return isShareTaken(lease.held, tenants) ? null : { runs: 0, place: enter(lease, "consumers", 0) };
}

/** How many, this one included. */
function tenantsSeen(tenant: string, now: number): number {
  seenAt.delete(tenant);
  seenAt.set(tenant, now);
  for (const [other, at] of seenAt) {
    if (at > now - QUEUE_TENANT_SEEN_MS) break;
    seenAt.delete(other);
  }
  return seenAt.size;
}
