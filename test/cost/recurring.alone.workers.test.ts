// What an occurrence of a recurring action costs, the action itself and the lists included: metered from the alarm until
// everything rests.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterAll, expect, it } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { openStore } from "#objects/host/store.ts";
import { recurringStorage } from "#objects/recurring/storage.ts";
import { bindings, engine, PROVIDER, provider, until, type Engine } from "#test/flows/engine.ts";
import { openMeter } from "./meter.ts";
import { costOf, HEADING, lineOf } from "./prices.ts";

const COUNT = 40;
const table: string[] = [HEADING];
afterAll(() => console.log(table.join("\n")));
const meter = await openMeter();

async function stubs(shop: Engine, over: object) {
  const action = { provider: "webhook", action_type: "ping", payload: { url: PROVIDER } };
  const body = { cron_expr: "0 0 1 1 *", ...action, ...over };
  const made = Array.from({ length: COUNT }, () => shop.must(201, "POST", "/v1/recurring", { body }));
  const ids = (await Promise.all(made)).map(({ recurring_id: id }) => String(id));
  return ids.map((id) => bindings.RECURRING.getByName(`${shop.tenant}/${id}`));
}

async function makeDue(all: Awaited<ReturnType<typeof stubs>>): Promise<void> {
  for (const stub of all) {
    await runInDurableObject(stub, (_object, { storage }) => {
      const kept = recurringStorage(openStore(storage));
      const state = kept.read();
      const nominal = Math.floor(Date.now() / 1_000) * 1_000;
      // Without earlier occurrences, the tenant's quota of occurrences per minute does not apply.
      if (state !== null) kept.write({ ...state, next: { nominal, fireAt: nominal }, recent: [] }, []);
    });
    await evict(stub);
  }
}

async function count(sql: string, tenant: string): Promise<number> {
  const row = await bindings.DB.prepare(sql).bind(tenant).first<{ n: number }>();
  return row?.n ?? 0;
}

it("an occurrence, its action and the lists stay within budget", async () => {
  provider();
  const shop = await engine();
  const all = await stubs(shop, {});
  const catalogRows: number[] = [];
  for (const round of [1, 2, 3, 4]) {
    await makeDue(all);
    meter.reset();
    await Promise.all(all.map((stub) => runDurableObjectAlarm(stub)));
    await until("all have been carried out, and are listed", async () => {
      const done = "SELECT count(*) AS n FROM executions WHERE tenant = ? AND status = 'completed'";
      const told = "SELECT coalesce(sum(count), 0) AS n FROM recurring WHERE tenant = ?";
      const [actions, listed] = [await count(done, shop.tenant), await count(told, shop.tenant)];
      return actions === COUNT * round && listed === COUNT * round ? true : null;
    });
    const cost = costOf(meter.bill, COUNT);
    table.push(lineOf(`recurring, 1 action, ${round === 1 ? "new pool" : "warm pool"}`, cost));
    catalogRows.push(cost.catalogRows);
    // Its own: twice the state, twice the alarm, one row of its history. The action: what a pooled one costs.
    expect(cost.objectRows).toBeLessThanOrEqual(5 + 4);
    expect(cost.objectRequests).toBeLessThanOrEqual(1 + 1 + 0.5);
    expect(cost.queueMessages).toBeLessThanOrEqual(1 + 1.2);
    if (round >= 2 && cost.catalogRows <= 1 + 3.5) break;
  }
  // On a machine that is busy with something else actions take seconds, and lists then hear of them on the way, too.
  expect(Math.min(...catalogRows)).toBeLessThanOrEqual(1 + 3.5);
});
