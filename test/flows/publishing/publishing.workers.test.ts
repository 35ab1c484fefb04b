// Publishing through the real Worker: whoever starts something takes what is published, what runs keeps its own, and a bad
// version is taken back in one call.
import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { PROVIDER, provider, until, type Engine } from "../engine.ts";
import { hooks, pushes } from "../triggers/hooks.ts";

const order = (version: number) => ({
  kind: "machine",
  name: "order",
  description: `As version ${version} has it.`,
  initial: "open",
  states: { open: { on: { paid: "done" } }, done: { type: "final" } },
});
const parent = {
  kind: "machine",
  name: "parent",
  initial: "begun",
  states: { begun: { on: { "action.begin.ok": "done" } }, done: { type: "final" } },
  actions: [
    { actionId: "begin", type: "start_execution", triggerState: "begun", config: { definition: "order", wait: false } },
  ],
};
const journey = (version: number) => ({
  kind: "journey",
  name: "greeting",
  variables: { version },
  initial: "call",
  subject: { var: "execution.variables.customer" },
  nodes: { call: { type: "webhook", config: { url: PROVIDER } } },
});
const trigger = { ...pushes, target: { kind: "start", definition: "order" } };

/** By each way of starting that names no version, the version that was taken. */
async function takenBy(shop: Awaited<ReturnType<typeof hooks>>, recurring: string, subject: string) {
  const versionOf = async (execution: string): Promise<number> => (await shop.read(execution)).definition.version;
  const batch = { executions: [{ definition: "order" }] };
  const many = await shop.must(200, "POST", "/v1/executions/batch", { body: batch });
  const family = await shop.start("parent");
  const child: string = await until(
    "the child has begun",
    async () => (await shop.runs(family))[0]?.result?.execution ?? null,
  );
  const pushed = await shop.pushed({ after: subject }, { id: subject });
  await shop.rests();
  const fired = await shop.must(200, "POST", `/v1/recurring/${recurring}/trigger`);
  return {
    api: await versionOf(await shop.start("order")),
    batch: await versionOf(many.results[0].id),
    parent: await versionOf(child),
    trigger: await versionOf(pushed.execution),
    recurring: await versionOf(fired.occurrence.action_id),
    enrolment: await enrolled(shop, subject),
  };
}

async function enrolled(shop: Engine, customer: string): Promise<number> {
  const { operation } = await shop.must(201, "POST", "/v1/definitions/greeting/enrolments", {
    body: { perSecond: 500 },
  });
  const body = { lines: [{ variables: { customer }, correlationId: customer }] };
  await shop.must(200, "PUT", `/v1/operations/${operation.id}/parts/1`, { body });
  await shop.must(202, "POST", `/v1/operations/${operation.id}/start`);
  const found = await until("the subject is in it", async () => {
    const { data } = await shop.must(200, "GET", `/v1/executions?subject=${customer}`);
    return data[0] ?? null;
  });
  return found.definition.version;
}

const all = (version: number) => ({
  api: version,
  batch: version,
  parent: version,
  trigger: version,
  recurring: version,
  enrolment: version,
});

test("every way to start takes what is published, before and after each publication and rollback", async () => {
  provider();
  const shop = await hooks(trigger, order(1), parent, journey(1));
  const body = { cron_expr: "0 0 1 1 *", definition: "order", overlap: "allow" };
  const { recurring_id: recurring } = await shop.must(201, "POST", "/v1/recurring", { body });
  for (const definition of [order(2), journey(2)])
    await shop.must(201, "POST", "/v1/definitions?draft=true", { body: definition });
  expect(await takenBy(shop, recurring, "s-1")).toEqual(all(1));
  for (const name of ["order", "greeting"]) await shop.must(200, "POST", `/v1/definitions/${name}/publish`);
  expect(await takenBy(shop, recurring, "s-2")).toEqual(all(2));
  for (const name of ["order", "greeting"]) await shop.must(200, "POST", `/v1/definitions/${name}@2/rollback`);
  expect(await takenBy(shop, recurring, "s-3")).toEqual(all(1));
});

test("what runs keeps its version through publishing, rolling back and eviction; the rollback counts and lists it", async () => {
  provider();
  const shop = await hooks(trigger, order(1));
  await shop.must(201, "POST", "/v1/definitions", { body: order(2) });
  const bad = [await shop.start("order"), await shop.start("order")];
  const good = await shop.start("order@1");
  await until("the lists know them", async () => {
    const { data } = await shop.must(200, "GET", "/v1/executions?definition=order");
    return data.length === 3 ? data : null;
  });
  const done = await shop.must(200, "POST", "/v1/definitions/order/rollback", { body: { reason: "bad" } });
  const list = "/v1/executions?definition=order&version=2";
  expect(done).toMatchObject({
    definition: { version: 1, standing: "published" },
    takenBack: [2],
    staying: [{ version: 2, executions: 2, list }],
    live: {
      versions: [
        { version: 2, executions: 2 },
        { version: 1, executions: 1 },
      ],
      isWhole: true,
    },
  });
  expect(done.advice).toContain(
    'POST /v1/operations?dryRun=true {"verb":"pause","filter":{"definition":"order","version":2}}',
  );
  const listed = await shop.must(200, "GET", list);
  expect(listed.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(bad.toSorted());
  const asked = { verb: "pause", filter: { definition: "order", version: 2 } };
  const dry = await shop.must(200, "POST", "/v1/operations?dryRun=true", { body: asked });
  expect(dry.matching).toBe(2);
  for (const execution of [...bad, good]) {
    await evictDurableObject(shop.stub(execution));
    await shop.must(200, "POST", `/v1/executions/${execution}/events`, { body: { type: "paid" } });
    const { definition } = await shop.reaches(execution, "completed");
    expect(definition.version).toBe(execution === good ? 1 : 2);
  }
});

test("a name with drafts only starts nothing: each way says so, and goes on once one is published", async () => {
  provider();
  const shop = await hooks(pushes);
  await shop.must(201, "POST", "/v1/definitions?draft=true", { body: order(1) });
  await shop.must(201, "POST", "/v1/definitions", { body: parent });
  const refused = await shop.must(409, "POST", "/v1/executions", { body: { definition: "order" } });
  expect(refused.code).toBe("definition_unpublished");
  const many = await shop.must(200, "POST", "/v1/executions/batch", {
    body: { executions: [{ definition: "order" }] },
  });
  expect(many.results[0].problem.code).toBe("definition_unpublished");
  const family = await shop.start("parent");
  const failed = await until("its action has failed", async () => (await shop.runs(family))[0]?.error ?? null);
  expect(failed).toMatchObject({ type: "invalid_configuration", code: "definition_unpublished" });
  await shop.must(200, "POST", "/v1/definitions/order/publish");
  expect((await shop.read(await shop.start("order"))).definition.version).toBe(1);
});
