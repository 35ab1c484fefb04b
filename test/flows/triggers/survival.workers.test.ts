// A trigger's object loses nothing that it has taken: evicted between commit and effect, with executions that do not answer,
// with D1 away, and over the days.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import type { DeliveryOutcome } from "#schema/inbound/delivery.ts";
import { DELIVERY_KEPT_MS } from "#schema/limits/inbound/deliveries.ts";
import { until } from "../engine.ts";
import { hooks, stubOf } from "./hooks.ts";

afterEach(() => vi.restoreAllMocks());

test("evicted between commit and effect, it goes on when its alarm rings", async () => {
  const shop = await hooks();
  const lost = vi.spyOn(TriggerWork.prototype, "deliver").mockImplementation(async () => []);
  const taken = await shop.pushed({ after: "c0ffee" }, { id: "d1" });
  await until("it was sent into the void", () => (lost.mock.calls.length > 0 ? true : null));
  lost.mockRestore();
  // As it stood when it was committed: what was tried since was never written.
  await runInDurableObject(stubOf(shop), (_object, { storage }) => {
    storage.sql.exec("UPDATE pending SET due = since, tries = 0");
  });
  await evict(stubOf(shop));
  expect(await shop.pushed({ after: "c0ffee" }, { id: "d1" })).toMatchObject({
    duplicate: true,
    execution: taken.execution,
  });
  await runDurableObjectAlarm(stubOf(shop));
  expect(await shop.rests()).toMatchObject([{ status: "applied" }]);
  expect((await shop.reaches(taken.execution, "waiting")).variables).toEqual({ commit: "c0ffee" });
});

test("an effect whose answer was lost is done once", async () => {
  const shop = await hooks();
  const real = TriggerWork.prototype.deliver;
  vi.spyOn(TriggerWork.prototype, "deliver").mockImplementationOnce(async function (this: TriggerWork, ...asked) {
    await real.apply(this, asked);
    throw new Error("the answer was lost");
  });
  const taken = await shop.pushed({ after: "once" });
  await until("it is put off", async () => {
    const [delivery] = await shop.deliveries();
    return delivery.tries === 1 ? delivery : null;
  });
  await until("its time has come", async () => {
    await runDurableObjectAlarm(stubOf(shop));
    const [delivery] = await shop.deliveries();
    return delivery.status === "applied" ? delivery : null;
  });
  const started = (await shop.journal(taken.execution)).filter(({ kind }) => kind === "started");
  expect(started).toHaveLength(1);
});

test("one that cannot be handed over holds up nobody, and fails after a day", async () => {
  const shop = await hooks();
  const reason = { code: "unavailable", message: "being moved" };
  vi.spyOn(TriggerWork.prototype, "deliver").mockImplementation(async (_of, effects) =>
    effects.map((effect): DeliveryOutcome => {
      const isPoisoned = effect.kind === "start" && effect.variables["commit"] === "poisoned";
      return isPoisoned ? { kind: "later", reason } : { kind: "applied" };
    }),
  );
  await shop.pushed({ after: "poisoned" });
  await shop.pushed({ after: "sound" });
  await until("the sound one has arrived", async () => {
    const [sound] = await shop.deliveries();
    return sound.status === "applied" ? sound : null;
  });
  expect((await shop.deliveries())[1]).toMatchObject({ status: "pending", tries: 1, nextTryAt: expect.any(String) });
  await runInDurableObject(stubOf(shop), (_object, { storage }) => {
    storage.sql.exec("UPDATE pending SET due = 0, since = 0");
  });
  await runDurableObjectAlarm(stubOf(shop));
  expect(await shop.deliveries("?status=failed")).toMatchObject([{ id: "trd_1", reason: { code: "not_delivered" } }]);
});

test("after its retention a delivery is deleted, and with the last one everything", async () => {
  const shop = await hooks({
    name: "pushes",
    kind: "webhook",
    verify: { scheme: "github", secret: "github_hook" },
    target: { kind: "start", definition: "deploy", variables: { commit: "{{ request.body.after }}" } },
    sequence: { value: { var: "request.body.v" } },
  });
  await shop.pushed({ after: "a", v: 1 });
  await shop.pushed({ v: 2 });
  await shop.rests();

  const rows = (table: string) =>
    runInDurableObject(stubOf(shop), (_object, { storage }) => storage.sql.exec(`SELECT * FROM ${table}`).toArray());
  expect(await rows("places")).toHaveLength(1);
  const age = (seq: number) =>
    runInDurableObject(stubOf(shop), (_object, { storage }) => {
      storage.sql.exec("UPDATE deliveries SET at = at - ? WHERE seq = ?", DELIVERY_KEPT_MS + 1, seq);
    });
  await age(1);
  await runDurableObjectAlarm(stubOf(shop));
  expect(await shop.deliveries()).toMatchObject([{ id: "trd_2", status: "unmappable" }]);
  expect(await rows("places")).toHaveLength(0);
  await age(2);
  await runInDurableObject(stubOf(shop), (_object, { storage }) => storage.setAlarm(Date.now() + 60_000));
  await runDurableObjectAlarm(stubOf(shop));
  expect(await shop.deliveries()).toEqual([]);
  expect((await shop.must(200, "GET", "/v1/triggers/pushes")).state).toMatchObject({ stuck: 0, lastDeliveryAt: null });
});

test("deleted with its trigger, and its address takes nothing", async () => {
  const shop = await hooks();
  await shop.pushed({ after: "a" });
  await shop.rests();
  await shop.must(200, "DELETE", "/v1/triggers/pushes");
  expect((await shop.push({ after: "b" })).status).toBe(410);
  const left = await runInDurableObject(stubOf(shop), (_object, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'deliveries'").toArray(),
  );
  expect(left).toEqual([]);
});
