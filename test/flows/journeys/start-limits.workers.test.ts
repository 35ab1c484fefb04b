// Limits on starts through the real Worker and real objects: an execution waits for its place, begins when an earlier one
// ends, and is shown in answers, lists, explanations and `GET /v1/limits`.
import { expect, test } from "vitest";
import { engine, until, type Engine } from "../engine.ts";

const customer = { var: "execution.variables.customer" };
const order = (name: string, limit: readonly object[], more: object = {}) => ({
  kind: "machine",
  name,
  limit,
  initial: "open",
  states: { open: { on: { close: "closed" } }, closed: { type: "final" } },
  ...more,
});
const of = (name: string, extra: object = {}) => ({ variables: { customer: name }, ...extra });
const close = (here: Engine, id: string) =>
  here.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "close" } });
const begins = (here: Engine, id: string) =>
  until(`${id} begins`, async () => ((await here.read(id)).states.length > 0 ? true : null));
const limitPath = (name: string, key: string) => `/v1/limits?name=${name}&key=${key}&of=starts`;

test.each([["own"], ["pooled"]])(
  "of five starts two begin, and each end lets the next one begin (%s)",
  async (placement) => {
    const here = await engine(
      order("orders", [{ name: "per-customer", key: customer, concurrency: 2 }], { placement }),
    );
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await here.start("orders", of("ada")));
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = ids;
    for (const id of [first, second]) expect(await here.read(id)).toMatchObject({ states: ["open"], reason: null });
    const waiting = { status: "waiting", states: [], reason: "limit_concurrency" };
    expect(await here.read(third)).toMatchObject({
      ...waiting,
      waitingFor: [{ for: "limit", limit: "per-customer", key: "ada", ahead: 0 }],
    });
    expect(await here.read(fifth)).toMatchObject({ ...waiting, waitingFor: [{ for: "limit", ahead: 2 }] });
    const { waits, next } = await here.must(200, "GET", `/v1/executions/${fifth}/explain`);
    const by = { for: "start_limit", by: "limit_concurrency", limit: "per-customer", key: "ada", ahead: 2 };
    expect(waits).toMatchObject([by]);
    expect(next).toMatchObject({ kind: "start_admitted", by: "limit" });
    const used = await here.must(200, "GET", limitPath("per-customer", "ada"));
    expect(used).toMatchObject({ of: "starts", concurrency: 2, waiting: 3 });
    expect(used.inUse.map(({ execution }: { execution: string }) => execution)).toEqual([first, second]);

    await here.must(200, "POST", `/v1/executions/${first}/cancel`, { body: {} });
    await begins(here, third);
    expect(await here.read(fourth)).toMatchObject(waiting);
    await here.must(200, "POST", `/v1/executions/${fourth}/cancel`, { body: {} });
    await close(here, second);
    await begins(here, fifth);
    for (const id of [third, fifth]) await close(here, id);
    await until("the key is free", async () => {
      const { inUse } = await here.must(200, "GET", limitPath("per-customer", "ada"));
      return inUse.length === 0 ? true : null;
    });
  },
);

test("the answer of a start says that it waits, and a repeat takes no second place", async () => {
  const here = await engine(order("ones", [{ name: "one", key: customer, concurrency: 1 }]));
  await here.start("ones", of("ada"));
  const ask = { body: { definition: "ones", ...of("ada") }, headers: { "Idempotency-Key": "k1" } };
  const { execution } = await here.must(201, "POST", "/v1/executions", ask);
  expect(execution).toMatchObject({ status: "waiting", reason: "limit_concurrency" });
  const repeat = await here.ask("POST", "/v1/executions", ask);
  expect(repeat.body.execution.id).toBe(execution.id);
  expect(await here.must(200, "GET", limitPath("one", "ada"))).toMatchObject({ waiting: 1 });
  await until("the list shows why it waits", async () => {
    const { data } = await here.must(200, "GET", "/v1/executions?status=waiting&definition=ones");
    const row = data.find(({ id }: { id: string }) => id === execution.id);
    return row?.reason === "limit_concurrency" ? true : null;
  });
});

test("a rate skips a start, and a newer start replaces the execution under way", async () => {
  const rate = [{ name: "daily", key: customer, rate: { max: 1, per: "P1D" } }];
  const newest = [{ name: "newest", key: customer, singleton: "cancel" }];
  const here = await engine(order("daily", rate), order("newest", newest));
  await here.start("daily", of("ada"));
  const body = { definition: "daily", ...of("ada") };
  const { execution } = await here.must(201, "POST", "/v1/executions", { body });
  expect(execution).toMatchObject({
    status: "canceled",
    reason: "rate_limited_by_key",
    skipped: { limit: "daily", key: "ada", nextAt: expect.any(String) },
  });
  const { says } = await here.must(200, "GET", `/v1/executions/${execution.id}/explain`);
  expect(says.length).toBeGreaterThan(0);

  const older = await here.start("newest", of("ada"));
  const newer = await here.start("newest", of("ada"));
  expect(await here.reaches(older, "canceled")).toMatchObject({ reason: "singleton" });
  await begins(here, newer);
});

test("children, bulk starts and journeys wait for their place too, and a pause keeps it", async () => {
  const limit = [{ name: "seats", key: customer, concurrency: 1 }];
  const config = { definition: "seats", variables: { customer: "ada" } };
  const parent = {
    ...{ kind: "machine", name: "parent", initial: "a", states: { a: { on: { "action.begin.ok": "b" } }, b: {} } },
    actions: [{ actionId: "begin", type: "start_execution", triggerState: "a", config }],
  };
  const trip = {
    kind: "journey",
    name: "trip",
    limit,
    initial: "rest",
    nodes: { rest: { type: "delay", for: "P1D" } },
  };
  const here = await engine(order("seats", limit), parent, trip);
  const first = await here.start("seats", of("ada"));
  const runOf = await here.start("parent");
  const child = await until("the child exists", async () => (await here.runs(runOf))[0]?.result?.execution ?? null);
  expect(await here.read(child)).toMatchObject({ status: "waiting", reason: "limit_concurrency" });
  const executions = [{ definition: "trip", ...of("ada") }];
  const { results } = await here.must(200, "POST", "/v1/executions/batch", { body: { executions } });
  const journey = results[0].id;
  expect(await here.read(journey)).toMatchObject({ reason: "limit_concurrency", waitingFor: [{ ahead: 1 }] });
  await here.must(200, "POST", `/v1/executions/${child}/pause`, { body: {} });
  await close(here, first);
  await until("the child has its place", async () => {
    const { inUse } = await here.must(200, "GET", limitPath("seats", "ada"));
    return inUse[0]?.execution === child ? true : null;
  });
  expect(await here.read(child)).toMatchObject({ status: "paused", states: [] });
  await here.must(200, "POST", `/v1/executions/${child}/resume`, { body: {} });
  await begins(here, child);
  await close(here, child);
  await begins(here, journey);
});

test("an operator releases a key, and the waiting execution begins", async () => {
  const here = await engine(order("stuck", [{ name: "stuck", key: customer, concurrency: 1 }]));
  await here.start("stuck", of("ada"));
  const second = await here.start("stuck", of("ada"));
  const body = { name: "stuck", key: "ada", of: "starts", reason: "a test" };
  await here.must(200, "POST", "/v1/limits/release", { body });
  await begins(here, second);
});

test("a key that is unusable or not known at the start is refused with its pointer", async () => {
  const here = await engine(order("keyed", [{ key: customer, concurrency: 1 }]));
  const { errors } = await here.must(400, "POST", "/v1/executions", { body: { definition: "keyed" } });
  expect(errors).toMatchObject([{ pointer: "/variables", code: "no_limit_key" }]);
  const late = order("late", [{ key: { var: "message.payload.id" }, concurrency: 1 }]);
  const refused = await here.must(422, "POST", "/v1/definitions", { body: late });
  expect(refused.errors).toMatchObject([{ code: "not_known_at_start", pointer: "/limit/0/key/var" }]);
});
