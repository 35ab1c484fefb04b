// What must not be lost and is not: objects evicted between two steps or killed in mid-flight, messages doubled,
// reordered, dropped and given up on, a silent catalog, alarms that the platform forgot.
import { abortAllDurableObjects, createScheduledController, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ALARM_AHEAD_MS } from "#schema/limits/alarms.ts";
import { evict } from "#test/flows/lives/evict.ts";
import type { Parsed } from "#test/support/api.ts";
import main, { ExecutionObject } from "../../src/index.ts";
import { bindings, chain, engine, hook, PROVIDER, provider, type Engine, until } from "./engine.ts";
import { deliver, holdActions, replace } from "./queues.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });

const three = ["reserve", "charge", "confirm"];
const nap = (ms: number) => ({
  kind: "machine",
  name: "nap",
  initial: "asleep",
  states: { asleep: { after: { [ms]: "awake" } }, awake: { type: "final" } },
});

afterEach(() => void vi.useRealTimers());

describe.each(["own", "pooled"])("%s", (placement) => {
  it("an object evicted while each of its actions is out loses nothing and repeats nothing", async () => {
    const held = holdActions();
    let id = "";
    const { calls } = provider(async () => {
      await evict(shop.stub(id));
      return Response.json({});
    });
    const shop = await engine(chain("steps", three, { placement, lane: "queue" }));
    id = await shop.start("steps");
    await evict(shop.stub(id));
    while (held.messages.length > 0) await deliver("actions", held.messages.splice(0));
    await evict(shop.stub(id));
    expect(await shop.read(id)).toMatchObject({ status: "completed", states: ["done"] });
    expect(calls.map(({ url }) => url.pathname)).toEqual(["/reserve", "/charge", "/confirm"]);
  });

  it("an execution evicted between two events stands where it stood", async () => {
    provider();
    const waits = { first: { on: { go: "second" } }, second: { on: { go: "third" } }, third: { on: { go: "done" } } };
    const states = { ...waits, done: { type: "final" } };
    const shop = await engine({ kind: "machine", name: "walk", placement, initial: "first", states });
    const id = await shop.start("walk");
    for (const state of ["second", "third", "done"]) {
      await evict(shop.stub(id));
      const body = { type: "go" };
      const { execution } = await shop.must(200, "POST", `/v1/executions/${id}/events`, { body });
      expect(execution.states).toEqual([state]);
    }
    expect((await shop.journal(id)).filter(({ kind }) => kind === "moved")).toHaveLength(4);
  });

  it("a direct flight whose object was killed comes back through the queue, under the same key", async () => {
    let isOpen = false;
    const { calls } = provider(async ({ attempt }) => {
      if (attempt === 1) await until("the gate opens", () => (isOpen ? true : null), 30_000);
      return Response.json({});
    });
    const shop = await engine(chain("flight", ["charge"], { placement }));
    const id = await shop.start("flight");
    await until("the call is out", () => (calls.length === 1 ? true : null));
    await abortAllDurableObjects();
    await shop.must(200, "POST", `/v1/executions/${id}/poke`);
    await shop.reaches(id, "completed");
    isOpen = true;
    expect(calls.map(({ key }) => key)).toEqual([`${id}/1.0`, `${id}/1.0`]);
    const [run] = await shop.runs(id);
    expect(run).toMatchObject({
      status: "ok",
      attempt: 1,
      lane: "queue",
      attempts: [{ attempt: 1, possiblyRepeated: true }],
    });
    expect((await shop.journal(id)).filter(({ kind }) => kind === "run_resent")).toMatchObject([
      { reason: "object_restarted" },
    ]);
  });
});

it("messages delivered twice and in any order are carried out once", async () => {
  const held = holdActions();
  const { calls } = provider();
  const names = ["a", "b", "c"];
  const shop = await engine({
    kind: "machine",
    name: "fan",
    initial: "open",
    concurrency: 3,
    lane: "queue",
    states: { open: { on: { close: "done" } }, done: { type: "final" } },
    actions: names.map((name) => hook(name, { triggerState: "open" })),
  });
  const id = await shop.start("fan");
  const [first, second, third] = held.messages;
  const twice = await Promise.all([deliver("actions", [third, first, third]), deliver("actions", [second, first])]);
  expect(twice.map(({ explicitAcks }) => explicitAcks)).toEqual(
    [
      ["0", "1", "2"],
      ["0", "1"],
    ].map((ids) => expect.arrayContaining(ids)),
  );
  await deliver("actions", held.messages);
  expect((await shop.runs(id)).map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(calls.length).toBe(3);
});

it("a message of an earlier attempt, or for an execution that is gone, is let go", async () => {
  const held = holdActions();
  const { calls } = provider(({ attempt }) => new Response(null, { status: attempt === 1 ? 500 : 200 }));
  const retryPolicy = { backoffStrategy: "fixed", baseDelay: 1, jitter: "none" };
  const shop = await engine(chain("again", ["notify"], { lane: "queue" }, { retryPolicy }));
  const id = await shop.start("again");
  const [first] = held.messages;
  await deliver("actions", [first]);
  const [, second] = await until("the second attempt is sent", () =>
    held.messages.length === 2 ? held.messages : null,
  );
  const stranger = { ...first, execution: "exe_nobody" };
  expect(await deliver("actions", [first, stranger, { nonsense: true }])).toMatchObject({
    explicitAcks: ["0", "1", "2"].map(() => expect.any(String)),
  });
  expect(calls.length).toBe(1);
  await deliver("actions", [second]);
  await shop.reaches(id, "completed");
});

it("an object that cannot be reached costs no attempt: the message comes back", async () => {
  const held = holdActions();
  provider();
  const shop = await engine(chain("hidden", ["notify"], { lane: "queue" }));
  const id = await shop.start("hidden");
  const object = Object.create(ExecutionObject.prototype) as object;
  const restore = replace(object, "claimMany", () => Promise.reject(new Error("overloaded")));
  const { retryMessages, explicitAcks } = await deliver("actions", held.messages, 3);
  expect([retryMessages, explicitAcks]).toEqual([[{ msgId: "0" }], []]);
  restore();
  await deliver("actions", held.messages, 4);
  await shop.reaches(id, "completed");
  expect(await shop.runs(id)).toMatchObject([{ attempt: 1 }]);
});

it("what the queue gave up on is a failure like any other: the machine learns of it", async () => {
  const held = holdActions();
  provider();
  const machine: Parsed = chain("lost", ["notify"], { lane: "queue" }, { retryPolicy: { maxAttempts: 1 } });
  machine.states.notify.on["action.notify.failed"] = "sorry";
  machine.states.sorry = { type: "final", outcome: "failed" };
  const shop = await engine(machine);
  const id = await shop.start("lost");
  expect(await deliver("actions-dead", [...held.messages, ...held.messages])).toMatchObject({
    explicitAcks: ["0", "1"],
  });
  expect(await shop.read(id)).toMatchObject({ status: "failed", states: ["sorry"] });
  expect(await shop.runs(id)).toMatchObject([
    { deadLetter: true, error: { type: "service_unavailable", code: "undeliverable" } },
  ]);
});

it("what waits for a free connection is not claimed yet: its deadline does not run", async () => {
  const held = holdActions();
  const { calls } = provider(async () => (await scheduler.wait(500), Response.json({})));
  const once = { timeout: 2_000, retryPolicy: { maxAttempts: 1 } };
  const shop = await engine(
    chain("slow", ["notify"], { lane: "queue" }, once),
    chain("slow-pool", ["notify"], { lane: "queue", placement: "pooled" }, once),
  );
  const executions = Array.from({ length: 30 }, (_, n) => ({ definition: n % 2 === 0 ? "slow" : "slow-pool" }));
  const { results } = await shop.must(200, "POST", "/v1/executions/batch", { body: { executions } });
  await deliver("actions", held.messages);
  for (const { id } of results) expect(await shop.read(id), id).toMatchObject({ status: "completed" });
  expect(calls.length).toBe(30);
});

it("with the catalog down, executions go on and the lists catch up", async () => {
  provider();
  const shop = await engine(chain("steps", three));
  await shop.reaches(await shop.start("steps"), "completed");
  let refused = 0;
  const down = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
  const up = [
    replace(bindings.DB, "batch", () => ((refused += 1), down())),
    ...["run", "all", "raw", "first"].map((method) => replace(bindings.DB.prepare("SELECT 1"), method, down)),
  ];
  const id = await shop.start("steps");
  await shop.reaches(id, "completed");
  expect((await shop.ask("GET", "/v1/executions")).status).toBe(503);
  const failed = await deliver("projections", [{ v: 1, executions: [], runs: [], audit: [auditRow(shop)] }], 2);
  expect(failed.retryMessages).toEqual([{ msgId: "0" }]);
  await until("the queue's own projections are refused, too", () => (refused > 1 ? true : null));
  for (const putBack of up) putBack();
  await until(
    "the lists have caught up",
    async () => {
      const { data } = await shop.must(200, "GET", "/v1/executions?status=completed");
      return data.some((row: Parsed) => row.id === id) ? true : null;
    },
    20_000,
  );
});

it("an action whose secret nobody can look up just now waits, and has lost no attempt", async () => {
  const { calls } = provider();
  const headers = { Authorization: "Bearer {{ secrets.token }}" };
  const config = { url: `${PROVIDER}/notify`, headers };
  const shop = await engine({
    kind: "machine",
    name: "sealed",
    initial: "open",
    states: { open: { on: { "action.notify.ok": "done" } }, done: { type: "final" } },
    actions: [hook("notify", { triggerState: "open", retryPolicy: { maxAttempts: 1 }, config })],
  });
  await shop.must(200, "PUT", "/v1/secrets/token", { body: { value: "kept-well-1" } });
  const down = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
  const statement = bindings.DB.prepare("SELECT 1");
  const up = ["run", "all", "raw", "first"].map((method) => replace(statement, method, down));
  const id = await shop.start("sealed");
  const held = await until("the hold", async () => {
    const [run] = await shop.runs(id);
    return run.held === null ? null : run;
  });
  expect(held).toMatchObject({ status: "scheduled", attempt: 0, held: { reason: "unavailable", connection: null } });
  for (const putBack of up) putBack();
  await shop.must(200, "POST", `/v1/executions/${id}/run-now`, { body: { run: held.id } });
  await shop.reaches(id, "completed");
  expect(await shop.runs(id)).toMatchObject([{ status: "ok", attempt: 1 }]);
  expect(calls.length).toBe(1);
});

it("projections that were given up on are told again by the executions themselves", async () => {
  provider();
  const shop = await engine(chain("steps", three));
  const sent: Parsed[] = [];
  const restore = replace(bindings.PROJECTIONS, "send", async (_real, message) => void sent.push(message));
  const id = await shop.start("steps");
  await shop.reaches(id, "completed");
  await until("they were sent", () =>
    sent.some(({ executions }) => executions[0]?.status === "completed") ? true : null,
  );
  restore();
  expect((await shop.must(200, "GET", "/v1/executions")).data).toEqual([]);
  expect((await deliver("projections-dead", sent)).explicitAcks).toContain("0");
  await until("it is listed", async () =>
    (await shop.must(200, "GET", "/v1/executions?status=completed")).data[0]?.id === id ? true : null,
  );
});

it("an alarm that was lost is armed again by a poke", async () => {
  const shop = await engine(nap(3_600_000));
  const id = await shop.start("nap");
  const alarm = () => runInDurableObject(shop.stub(id), (_object, { storage }) => storage.getAlarm());
  const armedFor = Date.parse((await shop.read(id)).timers[0].at) - ALARM_AHEAD_MS;
  expect(await until("it rests", async () => ((await alarm()) === armedFor ? armedFor : null))).toBe(armedFor);
  await runInDurableObject(shop.stub(id), (_object, { storage }) => storage.deleteAlarm());
  await shop.must(200, "POST", `/v1/executions/${id}/poke`);
  expect(await alarm()).toBe(armedFor);
});

it("an alarm that stands in the past and never rings is armed again by a poke", async () => {
  const shop = await engine(nap(3_600_000));
  const id = await shop.start("nap");
  const armedFor = Date.parse((await shop.read(id)).timers[0].at) - ALARM_AHEAD_MS;
  await runInDurableObject(shop.stub(id), (_object, { storage }) => storage.deleteAlarm());
  const restore = await runInDurableObject(shop.stub(id), (_object, { storage }) =>
    replace(storage, "getAlarm", () => Promise.resolve(Date.now() - 120_000)),
  );
  await shop.must(200, "POST", `/v1/executions/${id}/poke`);
  restore();
  expect(await runInDurableObject(shop.stub(id), (_object, { storage }) => storage.getAlarm())).toBe(armedFor);
});

it("the sweeper wakes executions whose own alarm never came", async () => {
  const shop = await engine(nap(60_000));
  const id = await shop.start("nap");
  await until("it is listed", async () =>
    (await shop.must(200, "GET", "/v1/executions")).data[0]?.wakeAt ? true : null,
  );
  await runInDurableObject(shop.stub(id), (_object, { storage }) => storage.deleteAlarm());
  await evict(shop.stub(id));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 });
  await main.scheduled(createScheduledController(), bindings);
  expect(await shop.read(id)).toMatchObject({ status: "completed", states: ["awake"] });
});

function auditRow({ tenant }: Engine) {
  return { tenant, id: "aud_1", at: Date.now(), actor: "key:k", verb: "v", target: "t", reason: null, details: null };
}
