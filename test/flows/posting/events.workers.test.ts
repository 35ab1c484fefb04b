// Events under a correlation key through the real Worker: objects, queue and alarms as they are.
import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { directoriesOf } from "#services/events/directories.ts";
import { bindings, engine, until, type Engine } from "../engine.ts";
import { replace } from "../queues.ts";

const purchase = (placement: string) => ({
  kind: "machine",
  name: "purchase",
  placement,
  initial: "open",
  correlation: { key: { var: "execution.variables.order" } },
  states: { open: { on: { paid: "done" } }, done: { type: "final" } },
});
const begin = (here: Engine, order: string) => here.start("purchase", { variables: { order } });
const post = (here: Engine, body: object = {}) =>
  here.must(202, "POST", "/v1/events", { body: { type: "paid", correlationKey: "o-1", ...body } });
const posted = (here: Engine, id: string, status: string) =>
  until(`${id} is ${status}`, async () => {
    const { data } = await here.must(200, "GET", `/v1/events?correlationKey=o-1&status=${status}`);
    return data.find((event: { id: string }) => event.id === id) ?? null;
  });
const kinds = async (here: Engine, execution: string) => (await here.journal(execution)).map(({ kind }) => kind);
const known = (here: Engine, execution: string) =>
  until(`the directory knows ${execution}`, async () =>
    (await kinds(here, execution)).includes("enlisted") ? true : null,
  );

test.each(["own", "pooled"])("reach whom they concern, and those who come later (%s)", async (placement) => {
  const here = await engine(purchase(placement));
  const [first, second] = [await begin(here, "o-1"), await begin(here, "o-1")];
  await Promise.all([known(here, first), known(here, second)]);
  const { event } = await post(here);
  await Promise.all([here.reaches(first, "completed"), here.reaches(second, "completed")]);
  await posted(here, event.id, "delivered");
  // The directory may not have heard yet that both have ended: then nobody was there all the same.
  const early = (await post(here)).event;
  await posted(here, early.id, "kept");
  await here.reaches(await begin(here, "o-1"), "completed");
  await posted(here, early.id, "delivered");
});

test("what is on its way survives the eviction of directories, and messages that are doubled", async () => {
  replace(bindings.ACTIONS, "sendBatch", (real, batch) => {
    const messages = [...(batch as Iterable<{ readonly body: { readonly kind: string } }>)];
    return real([...messages, ...messages.filter(({ body }) => body.kind === "enlist")]);
  });
  const here = await engine(purchase("own"));
  const { event } = await post(here, { id: "pay-1" });
  for (const name of directoriesOf(here.tenant)) {
    await evictDurableObject(bindings.DIRECTORIES.getByName(name)).catch(() => {}); // most of them were never called
  }
  const execution = await begin(here, "o-1");
  await here.reaches(execution, "completed");
  await posted(here, event.id, "delivered");
  expect((await kinds(here, execution)).filter((kind) => kind === "event_received")).toHaveLength(1);
  expect((await post(here, { id: "pay-1" })).repeated).toBe(true);
});

test("an execution that has ended is to be found no longer", async () => {
  const here = await engine(purchase("pooled"));
  const execution = await begin(here, "o-1");
  await known(here, execution);
  await here.must(200, "POST", `/v1/executions/${execution}/cancel`);
  await until("the directory has let go of it", async () =>
    (await kinds(here, execution)).filter((kind) => kind === "enlisted").length === 2 ? true : null,
  );
  expect((await post(here, { keep: false })).event).toMatchObject({ status: "undeliverable", reason: "nobody_there" });
});
