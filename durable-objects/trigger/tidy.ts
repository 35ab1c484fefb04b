// Deletion of old requests and old deliveries.
import {
  DELIVERIES_PURGED_AT_ONCE,
  DELIVERY_CHUNKS_PER_ALARM,
  DELIVERY_KEPT_MS,
  REQUESTS_KEPT_MAX,
} from "#schema/limits/inbound/deliveries.ts";
import type { TriggerRows } from "./storage.ts";

/** False: more is left to delete. Each chunk is one commit. */
export function tidy(rows: TriggerRows, now: number): boolean {
  for (let chunks = 0; chunks < DELIVERY_CHUNKS_PER_ALARM; chunks++) {
    const [isEmptied, isPurged] = [emptyChunk(rows), purgeChunk(rows, now)];
    if (isEmptied && isPurged) return true;
  }
  return false;
}

function emptyChunk(rows: TriggerRows): boolean {
  const counts = rows.counts();
  const edge = (rows.lastSeq()?.seq ?? 0) - REQUESTS_KEPT_MAX;
  if (edge <= counts.emptied) return true;
  const upTo = Math.min(edge, counts.emptied + DELIVERIES_PURGED_AT_ONCE);
  rows.atomically(() => {
    rows.empty(counts.emptied, upTo);
    rows.setCounts({ ...counts, emptied: upTo });
  });
  return upTo === edge;
}

function purgeChunk(rows: TriggerRows, now: number): boolean {
  const gone = rows.atomically(() => {
    const went = rows.purge(now - DELIVERY_KEPT_MS, DELIVERIES_PURGED_AT_ONCE);
    const stuck = went.filter(({ status }) => status === "unmappable" || status === "failed");
    if (stuck.length > 0) {
      const counts = rows.counts();
      const bytes = counts.bytes - stuck.reduce((sum, each) => sum + each.bytes, 0);
      rows.setCounts({ ...counts, stuck: counts.stuck - stuck.length, bytes: Math.max(0, bytes) });
    }
    return went;
  });
  return gone.length < DELIVERIES_PURGED_AT_ONCE;
}
