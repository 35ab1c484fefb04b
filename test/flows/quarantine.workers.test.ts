// What a person sees and can do when an execution cannot be read by the code that runs: through the API, the real object
// and the real catalog.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { unpackBody, type PackedBody } from "#objects/execution/stored/packing.ts";
import { evict } from "#test/flows/lives/evict.ts";
import { engine, until, type Engine } from "#test/flows/engine.ts";
import type { Parsed } from "#test/support/api.ts";

const waiting = {
  kind: "machine",
  name: "order",
  initial: "open",
  states: { open: { on: { close: "done" }, after: { P30D: "done" } }, done: { type: "final" } },
};

/** As another version of the code, or a bad day, would leave its head. */
async function rewrite(shop: Engine, id: string, change: (text: string) => string): Promise<void> {
  await runInDurableObject(shop.stub(id), (_object, { storage }) => {
    const where = "execution = ? AND page = 0";
    const { body } = storage.sql.exec<{ body: PackedBody }>(`SELECT body FROM rows WHERE ${where}`, id).one();
    storage.sql.exec(`UPDATE rows SET body = ? WHERE ${where}`, change(unpackBody(body)), id);
  });
  await evict(shop.stub(id));
}

const listed = (shop: Engine, query: string): Promise<Parsed> =>
  until(
    `it is listed under ${query}`,
    async () => (await shop.must(200, "GET", `/v1/executions?${query}`)).data[0] ?? null,
  );

it.each([
  ["of a version that a rollback left behind", (text: string) => text.replace('"v":1', '"v":99'), "99"],
  ["that is cut off", (text: string) => text.slice(0, 50), "JSON"],
])("a head %s is refused with what to do, listed with its reason, and can be canceled", async (_, spoil, why) => {
  const shop = await engine(waiting);
  const id = await shop.start("order");
  const before = await listed(shop, "status=waiting");
  expect(before.quarantine).toBeNull();
  await rewrite(shop, id, spoil);
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/journal"],
    ["POST", "/poke"],
  ] as const) {
    const problem = await shop.must(503, method, `/v1/executions/${id}${path}`);
    expect(problem).toMatchObject({ code: "execution_unreadable", retryable: true });
    expect(problem.detail ?? problem.error).toContain(why);
    expect(JSON.stringify(problem)).toContain(`/v1/executions/${id}/cancel`);
  }
  await shop.must(503, "POST", `/v1/executions/${id}/events`, { body: { type: "close" } });
  const row = await listed(shop, "quarantined=true");
  expect(row).toMatchObject({ id, quarantine: { reason: expect.stringContaining(why) }, createdAt: before.createdAt });
  await shop.must(200, "POST", `/v1/executions/${id}/cancel?dryRun=true`, { body: {} });
  const canceled = await shop.must(200, "POST", `/v1/executions/${id}/cancel`, { body: { reason: "entered again" } });
  expect(canceled.execution).toMatchObject({
    id,
    status: "canceled",
    createdAt: before.createdAt,
    definition: before.definition,
  });
  expect(await shop.read(id)).toMatchObject({ status: "canceled", reason: "entered again" });
  const after = await listed(shop, "status=canceled");
  expect(after).toMatchObject({ id, quarantine: null, createdAt: before.createdAt });
  expect((await shop.must(200, "GET", "/v1/executions?quarantined=true")).data).toEqual([]);
  expect((await shop.must(200, "GET", "/v1/executions")).data).toHaveLength(1);
});

it("read by its own version again, it goes on as if nothing had been, and the lists say so", async () => {
  const shop = await engine(waiting);
  const id = await shop.start("order");
  await listed(shop, "status=waiting");
  await rewrite(shop, id, (text) => text.replace('"v":1', '"v":99'));
  await shop.must(503, "POST", `/v1/executions/${id}/poke`);
  await listed(shop, "quarantined=true");
  await rewrite(shop, id, (text) => text.replace('"v":99', '"v":1'));
  await shop.must(200, "POST", `/v1/executions/${id}/poke`);
  await until("it is listed no longer", async () =>
    (await shop.must(200, "GET", "/v1/executions?quarantined=true")).data.length === 0 ? true : null,
  );
  await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "close" } });
  expect(await shop.read(id)).toMatchObject({ status: "completed" });
});
