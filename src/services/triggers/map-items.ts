// What items of a poller's list come to: each goes the way of a delivery, with the item for a request's body.
import type { Arrival, KeptRequest } from "#schema/inbound/delivery.ts";
import type { PollHeld } from "#schema/inbound/polling.ts";
import type { Deps } from "../deps.ts";
import { findHook } from "./find-hook.ts";
import { mapDelivery } from "./map-delivery.ts";
import type { PollOf } from "./poll-page.ts";

/** null: nobody can tell just now. */
export async function mapItems(
  deps: Deps,
  { tenant, trigger }: PollOf,
  items: readonly PollHeld[],
): Promise<readonly Arrival[] | null> {
  const row = await findHook(deps, tenant, trigger);
  if (row === null) return null;
  const arrivals: Arrival[] = [];
  for (const item of items) {
    const request = requestOf(item);
    // Each by itself: items that came together in one page are no single request.
    const mapped = await mapDelivery(deps, row, request, null);
    if (!mapped.ok) return null;
    arrivals.push({ identity: `=${item.deliveryId}`, request, ...mapped.value });
  }
  return arrivals;
}

function requestOf({ body, deliveryId, foundAt, trouble }: PollHeld): KeptRequest {
  return {
    ...{ method: "GET", query: {}, headers: {}, body, deliveryId },
    receivedAt: new Date(foundAt).toISOString(),
    ...(trouble === undefined ? {} : { unreadable: trouble }),
  };
}
