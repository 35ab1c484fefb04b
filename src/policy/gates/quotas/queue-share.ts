// The queue share of a tenant: how many consumer invocations its runs may occupy. The platform runs at most 250
// invocations of a queue for all tenants together, and one long run occupies one of them.
import type { ActionQueue } from "#schema/engine/message.ts";
import { QUEUE_SHARE_ALL, QUEUE_SHARE_MIN } from "#schema/limits/run-attempts.ts";
import type { HeldLease } from "./lease.ts";

/**
 * Returns the share of one tenant. `tenants`: how many tenants have used the queue lane recently, including this one.
 */
export function queueShare(tenants: number): number {
  return Math.max(QUEUE_SHARE_MIN, Math.floor(QUEUE_SHARE_ALL / Math.max(1, tenants)));
}

/**
 * Returns whether the tenant's runs fill its share of the queue. The attempts that other isolates have reported are
 * included.
 */
export function isShareUsedUp(
  { lease, inQueue }: Pick<HeldLease, "lease" | "inQueue">,
  queue: ActionQueue,
  tenants: number,
): boolean {
  return inQueue[queue] + (lease?.inQueueElsewhere?.[queue] ?? 0) >= queueShare(tenants);
}
