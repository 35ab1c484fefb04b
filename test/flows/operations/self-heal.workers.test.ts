// What failed with a provider's outage goes out again by itself once that is over, through the whole Worker: each once, only what somebody
// lets go out, nothing that its machine has taken care of; as an operation that everybody can see and abort.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { ConnectionWork } from "#entrypoints/connection-work.ts";
import type { Parsed } from "#test/support/api.ts";
import { connect, crm, startMany } from "../crm.ts";
import { bindings, engine, provider, until, type Engine } from "../engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

/** Waits for a person when its call has failed. */
function order(name: string, more: object = {}, endpoint = "people"): object {
  const failed = { on: { "action.ask.ok": "done" } };
  const states = { asking: { on: { "action.ask.ok": "done", "action.ask.failed": "failed" } }, failed };
  const config = { service: "crm", endpoint };
  return { ...crm(name, { config, ...more }), placement: "pooled", states: { ...states, done: { type: "final" } } };
}
const breaker = { minimumCalls: 2, openMs: 100 };
/** The last that failed may have been a probe, and have opened the breaker anew: from now on it may be asked again. */
const askable = () => scheduler.wait(2 * breaker.openMs);

/** Nothing is healed before it may: lists have to know first what there is. */
function held() {
  const { autoRetry } = ConnectionWork.prototype;
  let open = false;
  const answers: unknown[] = [];
  const spy = vi.spyOn(ConnectionWork.prototype, "autoRetry").mockImplementation(async function (
    this: ConnectionWork,
    ask,
  ) {
    await until("it may be healed", () => (open ? true : null));
    const answer = await autoRetry.call(this, ask);
    answers.push(answer.kind);
    return answer;
  });
  onTestFinished(() => spy.mockRestore());
  return { answers, goOn: () => (open = true), wait: () => (open = false) };
}

const deadLetters = (shop: Engine, count: number): Promise<Parsed[]> =>
  until(`${count} dead letters`, async () => {
    const { data } = await shop.must(200, "GET", "/v1/dead-letters?limit=100");
    return data.length === count ? data : null;
  });
const operation = (shop: Engine, nth = 1): Promise<Parsed> =>
  until("the operation", async () => {
    const { data } = await shop.must(200, "GET", "/v1/operations?verb=retry");
    return data.length === nth && data[0].finishedAt !== null ? data[0] : null;
  });
const fails = (shop: Engine, id: string) =>
  until(`${id} has failed`, async () => ((await shop.read(id)).states[0] === "failed" ? true : null));

async function outage(connection: object, ...definitions: object[]) {
  const world = { isDown: true };
  const { calls } = provider(({ url }) => {
    if (url.pathname === "/nowhere") return new Response("no", { status: 404 });
    return world.isDown ? new Response("down", { status: 503 }) : Response.json({});
  });
  const gate = held();
  const shop = await engine(...definitions);
  const id = await connect(shop, { breaker, ...connection });
  return { world, calls, gate, shop, id };
}

test("what failed with the outage goes out again, each once under its own key, and everybody can see by what", async () => {
  const { world, calls, gate, shop, id } = await outage(
    { selfHeal: { quietMs: 1_000, perSecond: 500 } },
    order("plain"),
    order("never", { selfHeal: false }),
    order("wrong", {}, "nowhere"),
    crm("taken"),
  );
  const plain = await startMany(shop, "plain", 3);
  const others = await Promise.all(["never", "wrong"].map((name) => shop.start(name)));
  const taken = await shop.start("taken");
  for (const each of [...plain, ...others]) await fails(shop, each);
  await shop.reaches(taken, "failed");
  const dead = await deadLetters(shop, 6);
  expect(dead.filter(({ connection }) => connection === id)).toHaveLength(6);
  const before = calls.splice(0).map(({ key }) => key);
  world.isDown = false;
  await askable();
  gate.goOn();
  const done = await operation(shop);
  expect(done).toMatchObject({
    verb: "retry",
    of: "deadLetters",
    status: "done",
    actor: "engine:self-heal",
    reason: naming("crm"),
    filter: { connection: id, selfHeal: "open" },
    progress: { matched: 3, released: 3, skipped: {}, refused: {} },
  });
  for (const each of plain) await shop.reaches(each, "completed");
  const keys = plain.map((each) => before.find((key) => key.startsWith(each)));
  expect([...new Set(calls.map(({ key }) => key))].toSorted()).toEqual(keys.toSorted());
  const [first] = plain;
  const redriven = (await shop.journal(String(first))).find(({ kind }) => kind === "run_redriven");
  expect(redriven).toMatchObject({ actor: { kind: "engine", id: "self-heal", operation: done.id } });
  expect((await shop.read(String(others[0]))).states).toEqual(["failed"]);
  expect(gate.answers).toEqual(["begun"]);
});

test("an action asks for it, and its connection need not; no more often than it says", async () => {
  const { world, calls, gate, shop, id } = await outage({}, order("asks", { selfHeal: {} }), order("plain"));
  const [asks] = await startMany(shop, "asks", 1);
  const [plain] = await startMany(shop, "plain", 1);
  for (const each of [asks, plain]) await fails(shop, String(each));
  await deadLetters(shop, 2);
  await askable();
  gate.goOn();
  world.isDown = false;
  await quietMinute(shop, id);
  const first = await operation(shop);
  expect(first).toMatchObject({ filter: { selfHeal: "asked" }, progress: { matched: 1, released: 1 } });
  await shop.reaches(String(asks), "completed");
  expect((await shop.read(String(plain))).states).toEqual(["failed"]);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
});

/** As if it had been quiet for long enough. */
async function quietMinute({ tenant }: Engine, connection: string): Promise<void> {
  const stub = bindings.CONNECTIONS.getByName(`${tenant}/${connection}`);
  await runInDurableObject(stub, (_object, { storage }) => {
    const [row] = storage.sql.exec<{ body: string }>("SELECT body FROM rows WHERE id = 4").toArray();
    const healing = JSON.parse(row?.body ?? "{}");
    expect(healing.since).not.toBeNull();
    storage.sql.exec("UPDATE rows SET body = ? WHERE id = 4", JSON.stringify({ ...healing, quietMs: 0 }));
  });
  await evict(stub);
  await scheduler.wait(200);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
}

test("where the provider goes away again it stops, says so, and the next operation goes on with what was left", async () => {
  const settings = {
    breaker: { minimumCalls: 4, openMs: 5_000 },
    selfHeal: { quietMs: 1_000, perSecond: 1, times: 2 },
  };
  const { world, gate, shop } = await outage(settings, order("plain"));
  const plain = await startMany(shop, "plain", 4);
  for (const each of plain) await fails(shop, each);
  await deadLetters(shop, 4);
  gate.goOn();
  // Nobody comes to ask whether it is back: the first that goes out is the probe, and it is not.
  const stopped = await operation(shop);
  expect(stopped).toMatchObject({ status: "stopped", stopped: { why: "provider_outage" } });
  expect(stopped.progress.remaining).toBeGreaterThan(0);
  gate.wait();
  await deadLetters(shop, 4);
  world.isDown = false;
  gate.goOn();
  const next = await operation(shop, 2);
  expect(next).toMatchObject({ status: "done" });
  // The probe's own dead letter goes out a second time.
  expect(next.progress.released).toBe(stopped.progress.remaining + 1);
  for (const id of plain) await shop.reaches(id, "completed");
}, 60_000);
