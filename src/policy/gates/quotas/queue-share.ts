// The queue share of a tenant: how many consumer invocations its runs may occupy. The platform runs at most 250 per
// queue for all tenants, and one long run occupies one.
import type { ActionQueue } from "#schema/engine/message.ts";
import { QUEUE_SHARE_ALL, QUEUE_SHARE_MIN } from "#schema/limits/queues.ts";
import type { HeldLease } from "./lease.ts";

/** `tenants`: seen in the queue lane recently, including this one. */
export function queueShare(tenants: number): number {
  return Math.max(QUEUE_SHARE_MIN, Math.floor(QUEUE_SHARE_ALL / Math.max(1, tenants)));
}

/** Counts this isolate's attempts and those that other isolates have reported. Each queue has consumers of its own. */
export function isShareTaken(
  { lease, inQueue }: Pick<HeldLease, "lease" | "inQueue">,
  queue: ActionQueue,
  tenants: number,
): boolean {
  return inQueue[queue] + (lease?.inQueueElsewhere?.[queue] ?? 0) >= queueShare(tenants);
}
