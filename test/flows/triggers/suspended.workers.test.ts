// Pollers of a tenant that may do nothing just now.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { openStore } from "#objects/host/store.ts";
import { pollRows } from "#objects/trigger/poll-rows.ts";
import { bindings, until } from "../engine.ts";
import { order, polled } from "./polled.ts";

const asRoot = { Authorization: "Bearer root-key-of-the-flow-tests" };

test("a suspended tenant's poller asks nobody, says so, and goes on by itself when the tenant does", async () => {
  const shop = await polled([order(1)]);
  await shop.first();
  const stub = bindings.TRIGGERS.getByName(`${shop.tenant}/${shop.trigger.id}`);
  /** As if its time had come. */
  const ring = async () => {
    await runInDurableObject(stub, (_object, { storage }) => {
      const rows = pollRows(openStore(storage));
      const [owner, state] = [rows.owner(), rows.state()];
      if (owner !== null && state !== null) rows.keep(owner, { ...state, nextAt: Date.now() });
    });
    await runDurableObjectAlarm(stub);
  };
  const turn = (verb: string) =>
    shop.must(200, "POST", `/v1/tenants/${shop.tenant}/${verb}`, { body: { reason: "r" }, headers: asRoot });

  await turn("suspend");
  const { length: before } = shop.asked();
  shop.list.push(order(2));
  await until("it has heard of it", async () => {
    await ring();
    const { health, reason } = await shop.state();
    return health === "off" && reason.code === "tenant_suspended" ? true : null;
  });
  const { length } = shop.asked();
  await ring();
  await ring();
  expect(shop.asked().length, "nobody is asked any more").toBe(length);
  // What an isolate knows of a tenant may be some seconds old.
  expect(length - before).toBeLessThanOrEqual(1);
  expect(await shop.state()).toMatchObject({ outcome: "off", nextStep: expect.any(String) });

  await turn("resume");
  await until("it asks again", async () => {
    await ring();
    return (await shop.state()).health === "healthy" ? true : null;
  });
  expect(await shop.started()).toEqual(["o1", "o2"]);
});
