// A rollback, as callers and operators see it: the rows of an execution are in a form that the code does not know yet. That
// code is today's here, and the form one that is to come: whoever rolls back to today's finds it so.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { hook, engine, provider, until, type Engine } from "../engine.ts";
import { evict } from "./evict.ts";
import { naming } from "#test/support/matchers/naming.ts";

const KNOWN = 1;
const TO_COME = 2;

const order = (placement: string): object => ({
  kind: "machine",
  name: placement,
  placement,
  initial: "open",
  states: {
    open: { on: { pay: "telling" }, after: { P30D: "done" } },
    telling: { on: { "action.tell.ok": "done" } },
    done: { type: "final" },
  },
  actions: [hook("tell", { triggerState: "telling" })],
});

/** The head as code of before, or of after, finds it when it comes. */
async function turnTo(form: number, { stub }: Engine, id: string): Promise<void> {
  await runInDurableObject(stub(id), (_object, { storage }) => {
    const where = "execution = ? AND page = 0";
    const { body } = storage.sql.exec<{ body: ArrayBuffer }>(`SELECT body FROM rows WHERE ${where}`, id).one();
    new Uint8Array(body)[0] = form;
    storage.sql.exec(`UPDATE rows SET body = ? WHERE ${where}`, body, id);
  });
  await evict(stub(id));
}

const apart = async (shop: Engine): Promise<readonly { id: string; quarantine: { reason: string } }[]> =>
  (await shop.must(200, "GET", "/v1/executions?quarantined=true")).data;

describe.each(["own", "pooled"])("%s, after a rollback", (placement) => {
  const begin = (shop: Engine, key: string) =>
    shop.ask("POST", "/v1/executions", { body: { definition: placement }, headers: { "Idempotency-Key": key } });

  it("stands apart: no key begins it again, nothing is sent for it, others go on, and it goes on by itself", async () => {
    const { calls } = provider();
    const shop = await engine(order(placement));
    const { id } = (await begin(shop, "first")).body.execution;
    await turnTo(TO_COME, shop, id);

    const refused = await begin(shop, "first");
    expect([refused.status, refused.body.code]).toEqual([503, "execution_unreadable"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    await shop.must(503, "POST", `/v1/executions/${id}/events`, { body: { type: "pay" } });
    await runDurableObjectAlarm(shop.stub(id));
    const other = await begin(shop, "second");
    expect(other.status).toBe(201);
    const executions = ["first", "second"].map((idempotencyKey) => ({ definition: placement, idempotencyKey }));
    const { results } = await shop.must(200, "POST", "/v1/executions/batch", { body: { executions } });
    expect(results).toMatchObject([
      { ok: false, problem: { code: "execution_unreadable" } },
      { ok: true, id: other.body.execution.id, repeated: true },
    ]);
    const [listed] = await until("it is listed", async () => ((await apart(shop)).length > 0 ? apart(shop) : null));
    expect(listed).toMatchObject({ id, quarantine: { reason: naming(TO_COME) } });
    expect(calls).toEqual([]);

    await turnTo(KNOWN, shop, id);
    // Its time to be looked at again, a minute later.
    await runInDurableObject(shop.stub(id), (_object, { storage }) => {
      storage.sql.exec(`UPDATE rows SET body = json_set(body, '$.lookAt', 1) WHERE execution = ? AND page = -1`, id);
    });
    await evict(shop.stub(id));
    await runDurableObjectAlarm(shop.stub(id));
    await until("it is listed no more", async () => ((await apart(shop)).length === 0 ? true : null));
    expect((await begin(shop, "first")).body).toMatchObject({ repeated: true, execution: { id, status: "waiting" } });
    await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "pay" } });
    await shop.reaches(id, "completed");
    expect(calls.map(({ key }) => key.split("/")[0])).toEqual([id]);
  });
});
