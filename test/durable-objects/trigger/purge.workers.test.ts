// Tests the purge of a trigger: requests and deliveries are deleted after their limits, and the counts of stuck
// deliveries follow.
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { openStore } from "#objects/host/store.ts";
import { triggerRows, type TriggerRows } from "#objects/trigger/storage.ts";
import { storeDeliveries } from "#objects/trigger/store-deliveries.ts";
import { purgeDeliveries } from "#objects/trigger/purge.ts";
import type { Arrival, StoredRequest, MappingResult, TriggerTerms } from "#schema/inbound/delivery.ts";
import { DELIVERY_KEPT_MS, REQUESTS_KEPT_MAX } from "#schema/limits/inbound/deliveries.ts";
import { bindings } from "#test/flows/engine.ts";

const terms: TriggerTerms = { tenant: "acme", trigger: "trg_1", kind: "webhook", perMinute: 60, burst: 1 };
const request: StoredRequest = {
  method: "POST",
  query: {},
  headers: {},
  body: "ä",
  deliveryId: null,
  receivedAt: "now",
};
const bytes = new TextEncoder().encode(JSON.stringify(request)).byteLength;
const ignored: MappingResult = { kind: "ignored" };
const stuck: MappingResult = { kind: "unmappable", reason: { code: "x", message: "y" } };
const start = { kind: "start", key: "k", execution: "exe_1", definition: "d", variables: {} } as const;
const pending: MappingResult = { kind: "effect", effect: { ...start, namespace: "default", correlationId: null } };

let objects = 0;

function inObject<T>(work: (rows: TriggerRows) => T): Promise<T> {
  objects += 1;
  const stub = bindings.TRIGGERS.getByName(`tidy-${objects}`);
  return runInDurableObject(stub, (_object, { storage }) => work(triggerRows(openStore(storage))));
}

function arrivals(mapped: MappingResult, from: number, count: number): readonly Arrival[] {
  return Array.from({ length: count }, (_, n) => ({ identity: `=${from + n}`, request, mapped, sequence: null }));
}

test("requests of the latest deliveries are kept, and of all that wait for an operator", async () => {
  await inObject((rows) => {
    storeDeliveries(rows, terms, [...arrivals(ignored, 1, 2), ...arrivals(stuck, 3, 1), ...arrivals(pending, 4, 1)], 0);
    storeDeliveries(rows, terms, arrivals(ignored, 5, REQUESTS_KEPT_MAX), 0);
    expect(purgeDeliveries(rows, 0, () => {})).toBe(true);
    const kept = [1, 2, 3, 4, 5].map((seq) => rows.bySeq(seq)?.request !== null);
    expect(kept).toEqual([false, false, true, true, true]);
    expect(rows.counts()).toEqual({ stuck: 1, bytes, emptied: 4 });
    // A delivery without its request is still recognized.
    expect(storeDeliveries(rows, terms, arrivals(ignored, 1, 1), 0)).toMatchObject([{ id: "trd_1", duplicate: true }]);
  });
});

test("old deliveries are deleted in chunks, and subtracted from the counts", async () => {
  await inObject((rows) => {
    storeDeliveries(rows, terms, [...arrivals(stuck, 1, 2), ...arrivals(ignored, 3, 6_000)], 0);
    storeDeliveries(rows, terms, arrivals(stuck, 9_000, 1), DELIVERY_KEPT_MS);
    expect(rows.counts()).toMatchObject({ stuck: 3, bytes: 3 * bytes });
    const now = DELIVERY_KEPT_MS + 1;
    expect(purgeDeliveries(rows, now, () => {})).toBe(false);
    expect(rows.bySeq(1)).toBe(null);
    expect(rows.firstAt()).toBe(0);
    expect(purgeDeliveries(rows, now, () => {})).toBe(true);
    expect(rows.firstAt()).toBe(DELIVERY_KEPT_MS);
    expect(rows.counts()).toMatchObject({ stuck: 1, bytes });
  });
});

test("a delivery that is deleted while it is pending is logged, and not delivered", async () => {
  await inObject((rows) => {
    storeDeliveries(rows, terms, arrivals(pending, 1, 1), 0);
    const lines: unknown[] = [];
    expect(purgeDeliveries(rows, DELIVERY_KEPT_MS + 1, (line) => lines.push(line))).toBe(true);
    expect(lines).toMatchObject([{ level: "error", event: "delivery_expired", delivery: "trd_1" }]);
    expect(rows.pendingState()).toEqual({ count: 0, next: null });
  });
});
