// Delivery purge: deletes the requests of older deliveries, and the oldest deliveries.
import {
  DELIVERIES_PURGED_AT_ONCE,
  DELIVERY_CHUNKS_PER_ALARM,
  DELIVERY_KEPT_MS,
  REQUESTS_KEPT_MAX,
} from "#schema/limits/inbound/deliveries.ts";
import type { HostPlatform } from "#objects/host/host.ts";
import { deliveryIdForSeq } from "./present.ts";
import { isStuck } from "./store-deliveries.ts";
import type { TriggerRows } from "./storage.ts";

/** Deletes in chunks, with one commit for each. Returns false if more is left to delete. */
export function purgeDeliveries(rows: TriggerRows, now: number, log: HostPlatform["log"]): boolean {
  for (let chunks = 0; chunks < DELIVERY_CHUNKS_PER_ALARM; chunks++) {
    const areRequestsDone = deleteRequests(rows);
    const areDeliveriesDone = deleteDeliveries(rows, now, log);
    if (areRequestsDone && areDeliveriesDone) return true;
  }
  return false;
}

function deleteRequests(rows: TriggerRows): boolean {
  const counts = rows.counts();
  const lastWithoutRequest = (rows.lastSeq()?.seq ?? 0) - REQUESTS_KEPT_MAX;
  if (lastWithoutRequest <= counts.emptied) return true;
  const upTo = Math.min(lastWithoutRequest, counts.emptied + DELIVERIES_PURGED_AT_ONCE);
  rows.atomically(() => {
    rows.empty(counts.emptied, upTo);
    rows.setCounts({ ...counts, emptied: upTo });
  });
  return upTo === lastWithoutRequest;
}

function deleteDeliveries(rows: TriggerRows, now: number, log: HostPlatform["log"]): boolean {
  const deleted = rows.atomically(() => {
    const purged = rows.purge(now - DELIVERY_KEPT_MS, DELIVERIES_PURGED_AT_ONCE);
    for (const { seq } of purged.filter(({ isPending }) => isPending)) {
      rows.deletePending(seq);
      log({ level: "error", event: "delivery_expired", delivery: deliveryIdForSeq(seq) });
    }
    const stuck = purged.filter(({ status }) => isStuck(status));
    if (stuck.length > 0) {
      const counts = rows.counts();
      const bytes = counts.bytes - stuck.reduce((sum, each) => sum + each.bytes, 0);
      rows.setCounts({ ...counts, stuck: counts.stuck - stuck.length, bytes: Math.max(0, bytes) });
    }
    return purged;
  });
  return deleted.length < DELIVERIES_PURGED_AT_ONCE;
}
