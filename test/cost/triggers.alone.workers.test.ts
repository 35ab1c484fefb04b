// What a delivery to a trigger may cost: its rows, its one call, and the alarm that many share. What it starts is metered
// as any other execution.
import { afterAll, expect, test, vi } from "vitest";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import { until } from "#test/flows/engine.ts";
import { hooks, pushes } from "#test/flows/triggers/hooks.ts";
import { openMeter } from "./meter.ts";
import { costOf, HEADING, lineOf, type Cost } from "./prices.ts";

const COUNT = 50;
const meter = await openMeter();
const table: string[] = [HEADING];
afterAll(() => console.log(table.join("\n")));

async function metered(what: string, trigger: object, status: string): Promise<Cost> {
  const shop = await hooks({ ...pushes, ...trigger });
  await shop.pushed({ after: "the tables are made" });
  await until("it rests", async () => ((await shop.deliveries("?status=pending")).length === 0 ? true : null));
  meter.reset();
  for (let n = 0; n < COUNT; n++) await shop.pushed({ after: `c${n}` });
  await until("all have come to rest", async () => {
    const listed = await shop.deliveries(`?status=${status}&limit=200`);
    return listed.length === COUNT + 1 ? true : null;
  });
  const cost = costOf(meter.bill, COUNT);
  table.push(lineOf(what, cost));
  return cost;
}

test("a delivery is four rows and one call, and no row of the catalog", async () => {
  vi.spyOn(TriggerWork.prototype, "deliver").mockImplementation(async (_of, effects) =>
    effects.map(() => ({ kind: "applied" })),
  );
  const cost = await metered("a delivery, without what it starts", {}, "applied");
  vi.restoreAllMocks();
  expect(cost.objectRows).toBeLessThanOrEqual(4.2);
  expect(cost.objectRequests).toBeLessThanOrEqual(1.1);
  expect([cost.queueMessages, cost.catalogRows]).toEqual([0, 0]);
});

test("one that is not wanted is three", async () => {
  const cost = await metered("a delivery that is ignored", { when: false }, "ignored");
  expect(cost.objectRows).toBeLessThanOrEqual(3.2);
  expect(cost.objectRequests).toBeLessThanOrEqual(1.1);
});

test("with the execution that it starts it is one call more", async () => {
  const cost = await metered("a delivery that starts an execution", {}, "applied");
  expect(cost.objectRequests).toBeLessThanOrEqual(2.6);
});
