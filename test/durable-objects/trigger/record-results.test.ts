// Tests how a trigger records the results of its deliveries: from the call that sent the effect, and from the report of
// the directory that has the delivery's event. Both may come first, twice, or from before a replay.
import { expect, test } from "vitest";
import { openStore } from "#objects/host/store.ts";
import { recordOutcomes, recordReport } from "#objects/trigger/record-results.ts";
import { triggerRows } from "#objects/trigger/storage.ts";
import { replayDelivery, storeDeliveries } from "#objects/trigger/store-deliveries.ts";
import { takenOf } from "#objects/trigger/present.ts";
import type { EventReport } from "#schema/directory/calls.ts";
import type { DeliveryOutcome, MappingResult, StoredRequest } from "#schema/inbound/delivery.ts";
import { sqliteStorage } from "#test/sim/kit/sqlite-storage.ts";

const terms = { tenant: "acme", trigger: "trg_1", kind: "webhook" } as const;
const receivedAt = "2026-11-20T08:00:00.000Z";
const request: StoredRequest = { method: "POST", query: {}, headers: {}, body: 1, deliveryId: null, receivedAt };
const post = { kind: "post", key: "trigger/trg_1/1", correlationKey: "o-1", type: "paid", payload: 1 } as const;
const mapped: MappingResult = { kind: "effect", effect: { ...post, correlationId: null, keepMs: 0 } };
const refusal = { code: "event_not_accepted", message: "the guard is false" };
const report: EventReport = { trigger: "trg_1", delivery: "trd_1", event: post.key, replayedAt: null, result: refusal };
const published: DeliveryOutcome = { kind: "published" };
const REPLAYED_AT = 50;

function opened() {
  const rows = triggerRows(openStore(sqliteStorage().storage));
  const lines: { readonly [key: string]: unknown }[] = [];
  const log = (line: { readonly [key: string]: unknown }): void => void lines.push(line);
  storeDeliveries(rows, terms, [{ identity: "=d1", request, mapped, sequence: null }], 0);
  return {
    rows,
    lines,
    status: () => {
      const row = rows.bySeq(1);
      return row && takenOf(row).status;
    },
    stuck: () => rows.counts().stuck,
    /** Sends what is due; `meanwhile` runs before the response. */
    send: (outcome: DeliveryOutcome, meanwhile = (): void => {}) => {
      const due = rows.due(100, 10);
      meanwhile();
      recordOutcomes(rows, due, [outcome], 100, log);
    },
    report: (over: Partial<EventReport> = {}) => recordReport(rows, { ...report, ...over }, log),
    replay: () => replayDelivery(rows, { id: "trd_1", mapped, sequence: null }, REPLAYED_AT),
  };
}

test("a published event that an execution refused makes the delivery fail once, with the refusal and a log line", () => {
  const t = opened();
  expect(t.status()).toBe("pending");
  t.send(published);
  expect([t.status(), t.stuck(), t.rows.countPublished()]).toEqual(["published", 0, 1]);
  t.report();
  t.report();
  expect([t.status(), t.stuck(), t.rows.countPublished()]).toEqual(["failed", 1, 0]);
  expect(t.rows.bySeq(1)?.reason).toEqual(refusal);
  expect(t.lines).toMatchObject([{ level: "error", event: "delivery_failed", delivery: "trd_1", code: refusal.code }]);
});

test("a published event that an execution accepted makes the delivery applied", () => {
  const t = opened();
  t.send(published);
  t.report({ result: "taken" });
  t.report({ result: "taken" });
  expect([t.status(), t.stuck(), t.lines]).toEqual(["applied", 0, []]);
});

test.each([
  ["published", published],
  ["failed", { kind: "failed", reason: refusal }],
  ["lost", { kind: "later", reason: refusal }],
] as const)("a report that arrives before the response (%s) is final", (_case, response) => {
  const t = opened();
  t.send(response, () => t.report());
  expect([t.status(), t.stuck()]).toEqual(["failed", 1]);
  expect(t.rows.pendingState().count).toBe(0);
});

test("an event that the directory has already ended gives the result with the response", () => {
  const t = opened();
  t.send({ kind: "failed", reason: refusal });
  expect([t.status(), t.stuck()]).toEqual(["failed", 1]);
  t.replay();
  t.send({ kind: "applied" });
  expect([t.status(), t.stuck()]).toEqual(["applied", 0]);
});

test("a failed delivery can be replayed; a late report of the first publication changes nothing", () => {
  const t = opened();
  t.send(published);
  expect(t.replay()).toMatchObject({ ok: false, refusal: { code: "delivery_not_replayable" } });
  t.report();
  expect(t.replay()).toMatchObject({ ok: true, value: { id: "trd_1", status: "pending" } });
  expect(t.rows.due(100, 10)).toMatchObject([{ effect: { key: post.key, replayedAt: REPLAYED_AT } }]);
  t.send(published);
  t.report();
  expect(t.status()).toBe("published");
  t.report({ replayedAt: REPLAYED_AT, result: "taken" });
  expect([t.status(), t.stuck()]).toEqual(["applied", 0]);
  expect(t.replay()).toMatchObject({ ok: false, refusal: { code: "delivery_not_replayable" } });
});

test("an execution that accepts the event after all ends the failure", () => {
  const t = opened();
  t.send(published);
  t.report();
  t.report({ result: "taken" });
  expect([t.status(), t.stuck(), t.rows.counts().bytes]).toEqual(["applied", 0, 0]);
});

test.each([{ delivery: "trd_9" }, { delivery: "nonsense" }, { event: "trigger/trg_1/2" }])(
  "a report that matches no delivery is logged: %j",
  (over) => {
    const t = opened();
    t.report(over);
    expect(t.status()).toBe("pending");
    expect(t.lines).toMatchObject([{ level: "warn", event: "report_unmatched" }]);
  },
);

test("an applied delivery that is older than the stored requests loses its request", () => {
  const t = opened();
  t.send(published);
  t.rows.setCounts({ ...t.rows.counts(), emptied: 1 });
  t.report({ result: "taken" });
  expect(t.rows.bySeq(1)).toMatchObject({ status: "applied", request: null, effect: null });
});
