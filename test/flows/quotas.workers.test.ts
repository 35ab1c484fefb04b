// Quotas and suspension where the work is: real cells, real queues, the real object of a tenant.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { limitsOf } from "#schema/quota.ts";
import { bindings, chain, engine, provider, until, type Engine } from "./engine.ts";

const asRoot = { Authorization: "Bearer root-key-of-the-flow-tests" };
const at = ({ must, tenant }: Engine, method: string, path: string, body?: object) =>
  must(200, method, `/v1/tenants/${tenant}${path}`, { ...(body ? { body } : {}), headers: asRoot });
const waiting = {
  kind: "machine",
  name: "waiting",
  initial: "open",
  states: {
    open: { on: { go: "sending" }, after: { PT3S: "sending" } },
    sending: { on: { "action.send.ok": "done" } },
    done: { type: "final" },
  },
  actions: [
    {
      actionId: "send",
      type: "webhook",
      triggerState: "sending",
      config: { url: "https://provider.example.com/send" },
    },
  ],
};

async function heldFor(shop: Engine, execution: string, reason: string) {
  return until(`${execution} is held`, async () => {
    const [run] = await shop.runs(execution);
    return run?.held?.reason === reason ? run : null;
  });
}

test.each(["direct", "queue"])(
  "a suspended tenant's run in the %s lane is held without an attempt, and goes out once when the tenant goes on",
  async (lane) => {
    const { calls } = provider();
    const definition = { ...waiting, actions: waiting.actions.map((action) => ({ ...action, lane })) };
    const shop = await engine(definition);
    const id = await shop.start("waiting");
    await at(shop, "POST", "/suspend", { reason: "mails to strangers" });
    await shop.must(403, "POST", "/v1/executions", { body: { definition: "waiting" } });
    await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "go" } });
    expect(await heldFor(shop, id, "suspended")).toMatchObject({ status: "scheduled", attempt: 0 });
    // By now its cell knows: a wake changes nothing, and sends nothing.
    await shop.must(200, "POST", `/v1/executions/${id}/poke`);
    expect([calls.length, (await shop.read(id)).status]).toEqual([0, "waiting"]);
    await at(shop, "POST", "/resume", { reason: "settled" });
    const [{ id: run }] = await shop.runs(id);
    await shop.must(200, "POST", `/v1/executions/${id}/run-now`, { body: { run } });
    // What the cell knew of it is five seconds old at most when it asks again.
    await until("the cell has asked again", async () => {
      await shop.must(200, "POST", `/v1/executions/${id}/poke`);
      return calls.length > 0 ? true : null;
    });
    await shop.reaches(id, "completed");
    expect(calls.length).toBe(1);
    expect((await shop.runs(id))[0].attempts).toHaveLength(1);
  },
);

test("a timer of a suspended tenant does not fire, though its object has forgotten everything", async () => {
  const { calls } = provider();
  const shop = await engine(waiting);
  const id = await shop.start("waiting");
  await at(shop, "POST", "/suspend", { reason: "r" });
  await evict(shop.stub(id));
  await scheduler.wait(3_200);
  await runDurableObjectAlarm(shop.stub(id));
  expect((await shop.read(id)).states).toEqual(["open"]);
  const armed = await runInDurableObject(shop.stub(id), (_object, { storage }) => storage.getAlarm());
  expect(Number(armed) - Date.now()).toBeGreaterThan(30_000);
  await at(shop, "POST", "/resume", { reason: "r" });
  await evict(shop.stub(id));
  await shop.must(200, "POST", `/v1/executions/${id}/poke`);
  await shop.reaches(id, "completed");
  // A poke that the object still takes while it is being evicted sends; what went down with it is sent again, under its key.
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
});

test("actions beyond those of a day are held until there are more, and no attempt is spent", async () => {
  const { calls } = provider();
  const shop = await engine(chain("three", ["one", "two", "three"]));
  await at(shop, "PATCH", "", { limits: { actionsPerDay: 2 } });
  const id = await shop.start("three");
  const held = await until("the third is held", async () => {
    const third = (await shop.runs(id)).find(({ action }) => action === "three");
    return third?.held ? third : null;
  });
  expect(held).toMatchObject({ attempt: 0, held: { reason: "quota", connection: null } });
  expect(calls.map(({ url }) => url.pathname)).toEqual(["/one", "/two"]);
  expect((await at(shop, "GET", "/usage")).limits.actionsPerDay).toMatchObject({ used: 2, max: 2, warning: true });
  await at(shop, "PATCH", "", { limits: { actionsPerDay: null } });
  await shop.must(200, "POST", `/v1/executions/${id}/run-now`, { body: { run: held.id } });
  await shop.reaches(id, "completed");
});

test("with as many in flight as there may be, the next one waits its turn", async () => {
  const release = Promise.withResolvers<void>();
  const { calls } = provider(async () => (await release.promise, Response.json({})));
  const shop = await engine(chain("one", ["slow"]));
  await at(shop, "PATCH", "", { limits: { inFlight: 1 } });
  const first = await shop.start("one");
  await until("the first is under way", () => (calls.length === 1 ? true : null));
  const second = await shop.start("one");
  expect(await heldFor(shop, second, "quota")).toMatchObject({ attempt: 0 });
  expect((await at(shop, "GET", "/usage")).limits.inFlight).toMatchObject({ used: 1, max: 1 });
  release.resolve();
  await shop.reaches(first, "completed");
  const [{ id: run }] = await shop.runs(second);
  await shop.must(200, "POST", `/v1/executions/${second}/run-now`, { body: { run } });
  await shop.reaches(second, "completed");
});

test("an action that starts an execution waits where its tenant may start none, and spends no attempt", async () => {
  provider();
  const starts = {
    ...chain("starts", ["child"]),
    actions: [{ actionId: "child", type: "start_execution", triggerState: "child", config: { definition: "one" } }],
  };
  const shop = await engine(chain("one", ["slow"]), starts);
  await at(shop, "PATCH", "", { limits: { liveExecutions: 1 } });
  const id = await shop.start("starts");
  expect(await heldFor(shop, id, "quota")).toMatchObject({ attempt: 0 });
});

test("what an object was told survives it", async () => {
  const shop = await engine();
  const meter = () => bindings.TENANTS.getByName(shop.tenant);
  const used = { startsPerSecond: 3, actionsPerDay: 5 };
  await meter().report({ isolate: "a", limits: limitsOf(null), used, inFlight: 2 });
  await until("it is written down", async () => {
    const rows = await runInDurableObject(meter(), (_object, { storage }) =>
      storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray(),
    );
    return rows.length > 0 ? true : null;
  });
  await evict(meter());
  expect(await meter().read()).toMatchObject({ used: { actionsPerDay: 5 }, live: 3, inFlight: 2 });
});

test("live executions are counted again in the catalog: those that ended make room", async () => {
  provider();
  const shop = await engine(chain("one", ["notify"]));
  await at(shop, "PATCH", "", { limits: { liveExecutions: 2 } });
  for (let n = 0; n < 2; n++) await shop.reaches(await shop.start("one"), "completed");
  await until("there is room again", async () => {
    const { status } = await shop.ask("POST", "/v1/executions", { body: { definition: "one" } });
    return status === 201 ? true : null;
  });
});
