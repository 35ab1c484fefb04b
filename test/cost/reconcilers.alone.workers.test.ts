// What a reconciler costs while nothing changes: no row, no message, no call; and where its rules read the time, an alarm a tick.
import { afterAll, expect, it, vi } from "vitest";
import { engine, provider, until, type Engine } from "#test/flows/engine.ts";
import { restingReconciler, type Kind } from "../../bench/reconcilers/definitions.ts";
import { openMeter } from "./meter.ts";
import { costOf, HEADING, lineOf, type Cost } from "./prices.ts";

vi.setConfig({ testTimeout: 120_000 });

const meter = await openMeter();
const table: string[] = [HEADING];
afterAll(() => console.log(table.join("\n")));

const COUNT = 1_000;
const BATCH = 100;
/** Of a grid of a second. */
const TICKS = 3;

/** The tenant's object keeps now and then what was used of its quotas; starting them was. */
const QUIET_MS = 5_000;

/** So many of them, at rest: nothing is observed, and no rule holds. */
async function resting(kind: Kind, placement: "own" | "pooled", count: number): Promise<Engine> {
  provider();
  const rules = { ...restingReconciler(kind), placement };
  const shop = await engine(rules);
  const { name } = rules as unknown as { readonly name: string }; // as it is written there
  for (let made = 0; made < count; made += BATCH) {
    const executions = Array.from({ length: Math.min(BATCH, count - made) }, () => ({ definition: name }));
    const { refused } = await shop.must(200, "POST", "/v1/executions/batch", { body: { executions } });
    expect(refused).toBe(0);
  }
  await until("they rest", async () => {
    meter.reset();
    await scheduler.wait(QUIET_MS);
    const { sqlRows, actionMessages, projectionMessages } = meter.bill;
    return sqlRows + actionMessages + projectionMessages === 0 ? true : null;
  });
  return shop;
}

async function whileTicking(what: string, count: number): Promise<Cost> {
  meter.reset();
  await scheduler.wait(TICKS * 1_000);
  const cost = costOf(meter.bill, count * TICKS);
  table.push(lineOf(what, cost));
  return cost;
}

it("1,000 idle reconcilers that tick every second write no row and send nothing", async () => {
  await resting("asleep", "pooled", COUNT);
  const cost = await whileTicking("idle, a tick", COUNT);
  expect(cost).toEqual({ objectRows: 0, objectRequests: 0, queueMessages: 0, catalogRows: 0 });
});

it.each([
  // Those few go on ticking beside the many.
  { placement: "own", count: 20, share: 1 },
  { placement: "pooled", count: COUNT, share: 0.1 },
] as const)(
  "where rules read the time, a tick is an alarm and no more ($placement)",
  async ({ placement, count, share }) => {
    await resting("by the clock", placement, count);
    const cost = await whileTicking(`idle, rules read the time, ${placement}, a tick`, count);
    const { sqlRows, alarmsRung } = meter.bill;
    expect(alarmsRung).toBeGreaterThan(0);
    expect([sqlRows, cost.queueMessages, cost.catalogRows]).toEqual([0, 0, 0]);
    // It is set and rings, once for all those of a cell that were started together.
    expect(cost.objectRows).toBeLessThanOrEqual(share * 1.4);
    expect(cost.objectRequests).toBeLessThanOrEqual(share * 1.4);
  },
);
