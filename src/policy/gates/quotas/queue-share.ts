// How many invocations of the queues' consumer one tenant's runs may occupy at once. The platform has 250 of each queue for
// all tenants, and one run that lasts occupies one, however many more it has room for.
import { QUEUE_SHARE_ALL, QUEUE_SHARE_MIN } from "#schema/limits/queues.ts";
import type { Held } from "./lease.ts";

/** `tenants`: those seen in the queue lane lately, itself included. */
export function queueShare(tenants: number): number {
  return Math.max(QUEUE_SHARE_MIN, Math.floor(QUEUE_SHARE_ALL / Math.max(1, tenants)));
}

/** Here and elsewhere; what another isolate has reported a while ago may be over. */
export function isShareTaken({ lease, inQueue }: Pick<Held, "lease" | "inQueue">, tenants: number): boolean {
  return inQueue + (lease?.inQueueElsewhere ?? 0) >= queueShare(tenants);
}
