// What a poll may cost: its state, its alarm, and what it finds. What it starts is metered as any other execution.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterAll, expect, test, vi } from "vitest";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import { openStore } from "#objects/host/store.ts";
import { pollRows } from "#objects/trigger/poll-rows.ts";
import { bindings, until } from "#test/flows/engine.ts";
import { order, orders, polled, type Polled } from "#test/flows/triggers/polled.ts";
import { openMeter } from "./meter.ts";
import { costOf, HEADING, lineOf, type Cost } from "./prices.ts";

const meter = await openMeter();
const table: string[] = [HEADING];
afterAll(() => console.log(table.join("\n")));

const TIMES = 20;
const single = { ...orders, poll: { ...orders.poll, paging: undefined } } as unknown as typeof orders; // a list of one page

/** Its time has come so often, `before` each; then a poll is what it costs until it sleeps. */
async function polls(what: string, before: (shop: Polled, n: number) => void): Promise<Cost> {
  vi.spyOn(TriggerWork.prototype, "deliver").mockImplementation(async (_of, effects) =>
    effects.map(() => ({ kind: "applied" })),
  );
  const shop = await polled([order(0)], single);
  await shop.first();
  const rests = () =>
    until("its deliveries rest", async () =>
      (await shop.deliveries()).some(({ status }) => status === "pending") ? null : true,
    );
  await rests();
  const stub = bindings.TRIGGERS.getByName(`${shop.tenant}/${shop.trigger.id}`);
  meter.reset();
  for (let n = 1; n <= TIMES; n++) {
    before(shop, n);
    await runInDurableObject(stub, (_object, { storage }) => {
      const rows = pollRows(openStore(storage));
      const [owner, state] = [rows.owner(), rows.state()];
      const { sqlRows } = meter.bill;
      if (owner !== null && state !== null) rows.keep(owner, { ...state, nextAt: Date.now() });
      meter.bill.sqlRows = sqlRows;
    });
    const { length } = shop.asked();
    await runDurableObjectAlarm(stub);
    expect(shop.asked()).toHaveLength(length + 1);
    await rests();
    // What is handed over while it polls is looked after once more.
    const alarm = await runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());
    if (Number(alarm) - Date.now() < 100_000) await runDurableObjectAlarm(stub);
  }
  vi.restoreAllMocks();
  const cost = costOf(meter.bill, TIMES);
  table.push(lineOf(what, cost));
  return cost;
}

test("a poll without news is three rows and one call: its state, and the alarm for itself and for the next", async () => {
  const cost = await polls("a poll without news", () => {});
  expect(cost.objectRows).toBeLessThanOrEqual(3.1);
  expect(cost.objectRequests).toBeLessThanOrEqual(1.1);
  expect([cost.queueMessages, cost.catalogRows]).toEqual([0, 0]);
});

test("an item is held, known again, and a delivery like any other", async () => {
  const cost = await polls("a poll with one item, without what it starts", ({ list }, n) => list.unshift(order(n)));
  expect(cost.objectRows).toBeLessThanOrEqual(14);
  expect(cost.objectRequests).toBeLessThanOrEqual(2.1);
});
