// Lists of executions through the whole engine: search variables, waits and counts.
import { expect, test } from "vitest";
import { engine, hook, provider, until, type Engine } from "../engine.ts";

const order = {
  kind: "machine",
  name: "order",
  searchVariables: { orderId: "string", total: "number", due: "date" },
  timezone: "Europe/Berlin",
  initial: "open",
  states: {
    open: {
      initial: "unpaid",
      states: { unpaid: { on: { "payment.captured": "paid" } }, paid: { type: "final" } },
      onDone: "done",
    },
    done: { type: "final" },
  },
};

async function listed(shop: Engine, query: string, count: number): Promise<readonly string[]> {
  return until(`${count} executions match ${query}`, async () => {
    const { data } = await shop.must(200, "GET", `/v1/executions?${query}`);
    return data.length === count ? data.map(({ id }: { id: string }) => id) : null;
  });
}

test("executions are found by their search variables, their state and their waits", async () => {
  provider();
  const shop = await engine(order);
  const first = await shop.start("order", { variables: { orderId: "A-17", total: 100, due: "2027-01-01" } });
  const second = await shop.start("order", { variables: { orderId: "A-18", total: 250, due: "2027-02-01T00:00:00Z" } });
  expect(await listed(shop, "var.orderId=A-17", 1)).toEqual([first]);
  expect(await listed(shop, "var.total.gte=100", 2)).toEqual([first, second]);
  expect(await listed(shop, "var.total.gt=100&var.orderId=A-18&definition=order", 1)).toEqual([second]);
  expect(await listed(shop, "var.due.lt=2027-01-01", 1)).toEqual([first]); // midnight in Berlin is earlier than in UTC
  expect(await listed(shop, "state=open&waitingFor=event:payment.captured", 2)).toEqual([second, first]);
  await shop.must(200, "POST", `/v1/executions/${first}/patch`, { body: { variables: { orderId: "B-1" } } });
  expect(await listed(shop, "var.orderId=B-1", 1)).toEqual([first]);
  expect(await listed(shop, "var.orderId=A-17", 0)).toEqual([]);
  await shop.must(200, "POST", `/v1/executions/${second}/events`, { body: { type: "payment.captured" } });
  expect(await listed(shop, "var.orderId=A-18&status=completed", 1)).toEqual([second]);
  expect(await listed(shop, "waitingFor=event", 1)).toEqual([first]);
  const counted = await shop.must(200, "GET", "/v1/executions?limit=1&count=true");
  expect(counted).toMatchObject({ count: { value: 2, exact: true }, stoppedEarly: false });
});

test("a filter that cannot be read is refused, and nothing is listed", async () => {
  provider();
  const shop = await engine(order, { ...order, name: "invoice", searchVariables: { total: "string" } });
  const refused = async (query: string, code: string, pointer = `?${query.split("=")[0]}`) => {
    const { errors } = await shop.must(400, "GET", `/v1/executions?${query}`);
    expect(errors).toMatchObject([{ pointer, code }]);
  };
  await refused("var.orderNo=1", "unknown_name");
  await refused("var.total=1", "ambiguous_name");
  await refused("var.orderId.gt=1", "invalid_comparison");
  await refused("var.due=soon", "invalid_type");
  await refused("var.total.between=1", "unknown_field");
  await refused("orderId=1", "unknown_field");
  await refused("count=true&definition=order&nextBefore=2027-01-01T00:00:00Z", "invalid");
  await shop.must(200, "GET", "/v1/executions?var.total.gte=1&definition=order");
});

test("a declaration of search variables is checked", async () => {
  const shop = await engine();
  const refused = async (searchVariables: object, pointer: string) => {
    const { errors } = await shop.must(422, "POST", "/v1/definitions", { body: { ...order, searchVariables } });
    expect(errors).toMatchObject([{ pointer }]);
  };
  await refused({ orderId: "text" }, "/searchVariables/orderId");
  await refused({ "order.id": "string" }, "/searchVariables/order.id");
  await refused(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`v${n}`, "string"])), "/searchVariables");
});

test("a key without the scope payloads cannot search by values or recipients", async () => {
  provider();
  const shop = await engine(order);
  const body = { name: "reader", scopes: ["read"] };
  const { secret } = await shop.must(201, "POST", "/v1/keys", { body });
  const headers = { Authorization: `Bearer ${secret}` };
  for (const path of ["/v1/executions?var.total.gt=1", "/v1/runs?recipient=ada@example.com"]) {
    expect(await shop.must(403, "GET", path, { headers })).toMatchObject({ code: "scope_missing" });
  }
  await shop.must(200, "GET", "/v1/runs?held=operator", { headers });
});

test("the runs of all executions are listed by what they did", async () => {
  provider();
  const work = { ...hook("mail", { triggerState: "go", tags: ["vip"] }), type: "webhook" };
  const shop = await engine({ kind: "machine", name: "work", initial: "go", states: { go: {} }, actions: [work] });
  const id = await shop.start("work");
  const found = await until("the run is listed", async () => {
    const { data } = await shop.must(200, "GET", "/v1/runs?tag=vip&status=ok");
    return data.length === 1 ? data : null;
  });
  expect(found).toMatchObject([
    { execution: id, actionId: "mail", definition: "work", tags: ["vip"], sentTo: [], held: null, startedBy: null },
  ]);
  expect(found[0].durationMs).toBeGreaterThanOrEqual(0);
  expect(await shop.must(200, "GET", "/v1/runs?recipient=Ada <ada@example.com>")).toMatchObject({ data: [] });
  const { errors } = await shop.must(400, "GET", "/v1/runs?recipient=ada");
  expect(errors).toMatchObject([{ pointer: "?recipient" }]);
});

test("the action types are listed with their defaults and the tenant's prices", async () => {
  const shop = await engine();
  const typeOf = async (type: string) => {
    const { data } = await shop.must(200, "GET", "/v1/runners");
    return data.find((runner: { type: string }) => runner.type === type);
  };
  const email = {
    permissions: ["email:send"],
    repeats: { mode: "none" },
    retryPolicy: "email",
    aliases: [],
    lane: null,
  };
  expect(await typeOf("email")).toMatchObject({ ...email, price: null });
  expect((await typeOf("push")).aliases).toEqual(["notification"]);
  const { components } = await shop.must(200, "GET", "/openapi.json");
  expect(components.schemas).toHaveProperty((await typeOf("email")).configSchema.split("/").at(-1));
  const prices = { email: 0.01, "email/resend": 0.02, sms: 0.1 };
  await shop.must(200, "PUT", "/v1/prices", { body: { currency: "EUR", prices } });
  const price = { currency: "EUR", amounts: { email: 0.01, "email/resend": 0.02 } };
  expect(await typeOf("email")).toMatchObject({ price });
});

test("dead letters are grouped by cause, definition and action", async () => {
  provider(() => new Response("no", { status: 400 }));
  const work = hook("mail", { triggerState: "go", retryPolicy: { maxAttempts: 1 } });
  const states = { go: { on: { stop: "end" } }, end: { type: "final" } };
  const shop = await engine({ kind: "machine", name: "work", initial: "go", states, actions: [work] });
  for (const _n of [1, 2]) await shop.start("work");
  const { groups, exact } = await until("both dead letters are listed", async () => {
    const found = await shop.must(200, "GET", "/v1/dead-letter-groups?definition=work");
    return found.groups[0]?.count === 2 ? found : null;
  });
  expect(groups).toMatchObject([{ definition: "work", actionId: "mail", type: "webhook", count: 2 }]);
  expect(groups[0].oldest <= groups[0].newest).toBe(true);
  expect(exact).toBe(true);
  const none = await shop.must(200, "GET", "/v1/dead-letter-groups?definition=other");
  expect(none).toEqual({ groups: [], exact: true });
});
