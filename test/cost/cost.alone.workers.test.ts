// The cost budget: what one execution may write, send and call, metered from its start until it rests for good with
// its retention armed. A figure above its budget is a regression like any other.
import { runInDurableObject } from "cloudflare:test";
import { afterAll, expect, it } from "vitest";
import { wakeOfArmed } from "#objects/execution/alarm.ts";
import { bindings, chain, engine, PROVIDER, provider, type Engine } from "#test/flows/engine.ts";
import { carriedOut } from "./carried-out.ts";
import { openMeter } from "./meter.ts";
import { costOf, HEADING, lineOf, type Cost } from "./prices.ts";
import { staysWithin } from "./rounds.ts";

/** The figures are one row a batch of projections, definition and version, however many runs and actions are in it. */
const FIGURES_SHARE = 0.02;
const three = ["reserve", "charge", "confirm"];
const meter = await openMeter();
const table: string[] = [HEADING];
afterAll(() => console.log(table.join("\n")));

function metered(what: string, count: number): Cost {
  const cost = costOf(meter.bill, count);
  table.push(lineOf(what, cost));
  return cost;
}

it("the meter reads what the platform's own counters read", async () => {
  await runInDurableObject(bindings.EXECUTIONS.getByName("scale"), (_object, { storage }) => {
    meter.reset();
    storage.sql.exec("CREATE TABLE scale (a TEXT NOT NULL, b INTEGER, PRIMARY KEY (a)) WITHOUT ROWID");
    const [made] = [meter.bill.sqlRows];
    const written = storage.sql.exec("INSERT INTO scale VALUES ('x', 1), ('y', 2)").rowsWritten;
    storage.sql.exec("SELECT * FROM scale").toArray();
    expect([made, written, meter.bill.sqlRows]).toEqual([2, 2, 4]);
  });
});

it("three sequential actions in an object of their own stay within budget", async () => {
  provider();
  const shop = await engine(chain("three", three));
  meter.reset();
  const [id] = await carriedOut(shop, () => startOne(shop, "three"), 1);
  const cost = metered("own, 3 actions, direct", 1);
  expect(cost.objectRows).toBeLessThanOrEqual(9);
  expect(cost.objectRequests).toBeLessThanOrEqual(7);
  expect(cost.queueMessages).toBeLessThanOrEqual(5);
  expect(cost.catalogRows).toBeLessThanOrEqual(5);
  expect(await alarmIsArmedForRetention(shop, id)).toBe(true);
});

it("slow providers cost one more telling of the lists", async () => {
  provider(async () => (await scheduler.wait(800), Response.json({})));
  const shop = await engine(chain("slow", three));
  meter.reset();
  await carriedOut(shop, () => startOne(shop, "slow"), 1);
  const cost = metered("own, 3 actions of 0.8 s, direct", 1);
  expect(cost.objectRows).toBeLessThanOrEqual(9 + 3);
  expect(cost.objectRequests).toBeLessThanOrEqual(7);
  expect(cost.queueMessages).toBeLessThanOrEqual(5);
});

it("the queue lane costs one message and one claim, and a settlement for each action, which brings the next", async () => {
  provider();
  const shop = await engine(chain("queued", three, { lane: "queue" }));
  meter.reset();
  await carriedOut(shop, () => startOne(shop, "queued"), 1);
  const cost = metered("own, 3 actions, queue", 1);
  expect(meter.bill.objectCalls).toBeLessThanOrEqual(1 + 1 + 3);
  expect(meter.bill.actionMessages).toBeLessThanOrEqual(1);
  // The table, the definition, two alarms; and a row for each of those calls.
  expect(cost.objectRows).toBeLessThanOrEqual(2 + 1 + 2 + 5);
  expect(cost.queueMessages).toBeLessThanOrEqual(1 + 2);
  expect(cost.catalogRows).toBeLessThanOrEqual(5);
});

it("of pooled executions in the queue lane those that go together share their claims and settlements", async () => {
  provider();
  const shop = await engine(chain("crowd", three, { lane: "queue", placement: "pooled" }));
  const crowd = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(...(await Promise.all(Array.from({ length: 40 }, () => shop.start("crowd")))));
    return ids;
  };
  await carriedOut(shop, crowd, 200);
  // A row for each of its turns: the start, the claim, and what each action comes to. Of calls its own start; what comes on top
  // would be four, were it alone. Where a batch takes longer than a second some have a message and a claim more.
  await staysWithin([1 + 1 + 3 + 1, 1 + 2, 1 + 0.5, 4 + 1], async (round) => {
    meter.reset();
    await carriedOut(shop, crowd, 200 * (round + 1));
    return metered("pooled, 3 actions, queue", 200);
  });
});

it("one pooled action among many stays within budget", async () => {
  provider();
  const shop = await engine(chain("one", ["notify"], { placement: "pooled" }));
  const single = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) ids.push(...(await Promise.all(Array.from({ length: 20 }, () => shop.start("one")))));
    return ids;
  };
  meter.reset();
  await carriedOut(shop, single, 200);
  const cold = metered("pooled, 1 action, one start each, new pool", 200);
  meter.reset();
  await carriedOut(shop, single, 400);
  const warm = metered("pooled, 1 action, one start each", 200);
  for (const cost of [cold, warm]) {
    expect(cost.objectRows).toBeLessThanOrEqual(3);
    // Its own start; what comes on top must stay below the half.
    expect(cost.objectRequests).toBeLessThanOrEqual(1 + 0.5);
    expect(cost.queueMessages).toBeLessThanOrEqual(1.2);
    expect(cost.catalogRows).toBeLessThanOrEqual(2 + FIGURES_SHARE);
  }
});

it("pooled actions started by the hundred share their calls", async () => {
  provider();
  const shop = await engine(chain("batch", ["notify"], { placement: "pooled" }));
  const hundred = { executions: Array.from({ length: 100 }, () => ({ definition: "batch" })) };
  const batches = async (): Promise<string[]> => {
    const answers = [];
    for (let n = 0; n < 2; n++) answers.push(await shop.must(200, "POST", "/v1/executions/batch", { body: hundred }));
    return answers.flatMap(({ results }) => results.map(({ id }: { id: string }) => id));
  };
  await carriedOut(shop, batches, 200);
  meter.reset();
  await carriedOut(shop, batches, 400);
  const cost = metered("pooled, 1 action, batches of 100", 200);
  expect(cost.objectRows).toBeLessThanOrEqual(3);
  expect(cost.objectRequests).toBeLessThanOrEqual(0.5);
  expect(cost.queueMessages).toBeLessThanOrEqual(1.2);
  expect(cost.catalogRows).toBeLessThanOrEqual(2 + FIGURES_SHARE);
});

it("retries of a moment cost a row each, and share a few alarms", async () => {
  provider(({ attempt }) => (attempt === 1 ? new Response("no", { status: 503 }) : Response.json({})));
  const retryPolicy = { maxAttempts: 3, backoffStrategy: "fixed", baseDelay: 300, jitter: "none" };
  const shop = await engine(chain("again", ["notify"], { placement: "pooled" }, { retryPolicy }));
  const hundred = { executions: Array.from({ length: 100 }, () => ({ definition: "again" })) };
  const batch = async (): Promise<string[]> => {
    const { results } = await shop.must(200, "POST", "/v1/executions/batch", { body: hundred });
    return results.map(({ id }: { id: string }) => id);
  };
  await carriedOut(shop, batch, 100);
  meter.reset();
  await carriedOut(shop, batch, 200);
  const cost = metered("pooled, 1 action tried twice, batches of 100", 100);
  // Its start, its first outcome, its second try and that outcome.
  expect(cost.objectRows).toBeLessThanOrEqual(4 + 0.5);
  expect(cost.objectRequests).toBeLessThanOrEqual(0.5);
  // Lists hear of the end, and not of each try.
  expect(cost.catalogRows).toBeLessThanOrEqual(2.5 + FIGURES_SHARE);
  // What found no place among those that began together.
  expect(meter.bill.actionMessages).toBeLessThanOrEqual(20);
});

it("actions on their own, by the hundred, stay within the same budget", async () => {
  provider();
  const shop = await engine();
  const actions = Array.from({ length: 100 }, (_, n) => ({
    type: "webhook",
    config: { url: `${PROVIDER}/{{ execution.variables.n }}` },
    variables: { n },
  }));
  const batches = async (): Promise<string[]> => {
    const answers = [];
    for (let n = 0; n < 2; n++) answers.push(await shop.must(200, "POST", "/v1/actions/batch", { body: { actions } }));
    return answers.flatMap(({ results }) => results.map(({ id }: { id: string }) => id));
  };
  await carriedOut(shop, batches, 200);
  meter.reset();
  await carriedOut(shop, batches, 400);
  const cost = metered("standalone, batches of 100", 200);
  expect(cost.objectRows).toBeLessThanOrEqual(3);
  expect(cost.objectRequests).toBeLessThanOrEqual(0.5);
  expect(cost.queueMessages).toBeLessThanOrEqual(1.2);
  expect(cost.catalogRows).toBeLessThanOrEqual(2 + FIGURES_SHARE);
});

async function startOne(shop: Engine, definition: string): Promise<string[]> {
  return [await shop.start(definition)];
}

async function alarmIsArmedForRetention(shop: Engine, id: string | undefined): Promise<boolean> {
  const { retainUntil } = await shop.read(id ?? "");
  const at = await runInDurableObject(shop.stub(id ?? ""), (_object, { storage }) => storage.getAlarm());
  return wakeOfArmed(at) === Date.parse(retainUntil);
}
