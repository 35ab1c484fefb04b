// Events under a correlation key through the real Worker: objects, queue and alarms as they are.
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { directoriesOf } from "#services/events/published-events.ts";
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
    (await kinds(here, execution)).includes("correlation_key_registered") ? true : null,
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
    return real([...messages, ...messages.filter(({ body }) => body.kind === "outbox")]);
  });
  const here = await engine(purchase("own"));
  const { event } = await post(here, { id: "pay-1" });
  for (const name of directoriesOf(here.tenant)) {
    await evict(bindings.DIRECTORIES.getByName(name)).catch(() => {}); // most of them were never called
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
    (await kinds(here, execution)).filter((kind) => kind === "correlation_key_registered").length === 2 ? true : null,
  );
  expect((await post(here, { keep: false })).event).toMatchObject({
    status: "undeliverable",
    reason: "no_matching_execution",
  });
});

test("a trigger that hears them starts what they mean, once, and what it posts itself goes round in no circle", async () => {
  const receipt = {
    kind: "machine",
    name: "receipt",
    initial: "open",
    states: { open: { on: { sent: "done" } }, done: { type: "final" } },
  };
  const here = await engine(purchase("own"), receipt);
  const variables = { order: "{{ request.body.correlationKey }}", amount: "{{ request.body.payload.amount }}" };
  const payments = { name: "payments", kind: "event", on: { type: "paid" } };
  const start = { ...payments, target: { kind: "start", definition: "receipt", variables } };
  const trigger = await here.must(201, "POST", "/v1/triggers", { body: start });
  expect(trigger).toMatchObject({ kind: "event", on: { type: "paid" }, url: null });
  const echo = { kind: "correlate", key: "{{ request.body.correlationKey }}", type: "paid", keep: false };
  await here.must(201, "POST", "/v1/triggers", { body: { ...payments, name: "echo", target: echo } });
  await here.must(400, "POST", `/v1/triggers/${trigger.id}/rotate-token`, { body: {} });

  const execution = await begin(here, "o-1");
  await known(here, execution);
  const { event } = await post(here, { id: "pay-1", payload: { amount: 42 } });
  expect(event.recipients).toHaveLength(3);
  await here.reaches(execution, "completed");
  const delivered = await posted(here, "pay-1", "delivered");
  expect(delivered.recipients).toMatchObject(Array.from({ length: 3 }, () => ({ outcome: "accepted" })));
  const started = await until("the receipt has begun", async () => {
    const { data } = await here.must(200, "GET", `/v1/executions?trigger=${trigger.id}`);
    return data.length > 0 ? data : null;
  });
  expect(started).toHaveLength(1);
  expect((await here.read(started[0].id)).variables).toEqual({ order: "o-1", amount: 42 });
  expect((await post(here, { id: "pay-1", payload: { amount: 42 } })).repeated).toBe(true);
  // The echo reached executions only: had it reached triggers, there would be another receipt, and another echo.
  await until("the echo has been posted", async () => {
    const { data } = await here.must(200, "GET", "/v1/events?correlationKey=o-1");
    return data.length === 2 ? data : null;
  });
  const [again] = (await here.must(200, "GET", "/v1/triggers/payments/deliveries")).data;
  expect(again).toMatchObject({ status: "applied", deliveryId: null });
  expect((await here.must(200, "GET", "/v1/triggers/payments/deliveries")).data).toHaveLength(1);

  await here.must(200, "POST", "/v1/triggers/payments/disable", { body: {} });
  await here.must(200, "POST", "/v1/triggers/echo/disable", { body: {} });
  expect((await post(here, { keep: false })).event.recipients).toEqual([]);
});
