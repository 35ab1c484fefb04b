// A forecast of a list, and what the real engine then does with that list: counts equal, and in the order that was said.
import { expect, it, vi } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { bindings, engine, PROVIDER, provider, until, type Engine } from "../engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

vi.setConfig({ testTimeout: 120_000 });

const COUNT = 120;
const BATCH = 60;

const who = { who: "{{ execution.variables.customer }}" };
const journey = {
  kind: "journey",
  name: "news",
  initial: "ask",
  subject: { var: "execution.variables.customer" },
  nodes: {
    ask: { type: "api_call", config: { service: "crm", endpoint: "ask", method: "POST", payload: who }, next: "kind" },
    kind: {
      type: "branch",
      cases: [{ guard: { "==": [{ var: "execution.variables.kind" }, "big"] }, next: "call" }, { next: "write" }],
    },
    call: { type: "webhook", config: { url: `${PROVIDER}/call`, payload: who } },
    write: {
      type: "webhook",
      config: { url: `${PROVIDER}/write`, payload: who },
      retryPolicy: { maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 50, jitter: "none" },
    },
  },
};

it("counts as many as then are sent, and says which connection holds them up", async () => {
  const { calls } = provider(({ url, attempt }) =>
    url.pathname === "/write" && attempt === 1 ? new Response("not now", { status: 503 }) : Response.json({}),
  );
  const shop = await engine(journey);
  const crm = { name: "crm", provider: "http", baseUrl: PROVIDER, rateLimit: { perSecond: 100, burst: 5 } };
  await shop.must(201, "POST", "/v1/connections", { body: crm });
  await shop.must(200, "PUT", "/v1/prices", { body: { currency: "EUR", prices: { api_call: 0.002 } } });
  const subjects = Array.from({ length: COUNT }, (_, n) => ({
    variables: { customer: `c-${n}`, kind: n % 4 === 0 ? "big" : "small" },
  }));
  const said = await shop.must(200, "POST", "/v1/definitions/news/forecast", {
    body: { subjects, assume: { actions: { write: [{ error: { type: "service_unavailable" } }, {}] } } },
  });
  expect(calls).toEqual([]);

  for (let from = 0; from < COUNT; from += BATCH) {
    const executions = subjects.slice(from, from + BATCH).map((each) => ({ definition: "news", ...each }));
    const { results } = await shop.must(200, "POST", "/v1/executions/batch", { body: { executions } });
    expect(results.filter(({ ok }: Parsed) => !ok)).toEqual([]);
  }
  await until("all are through", async () => ((await completed(shop)) === COUNT ? true : null), 90_000);

  const keysOf = (path: string): number =>
    new Set(calls.filter(({ url }) => url.pathname === path).map(({ key }) => key)).size;
  expect(said.executions).toMatchObject({ of: COUNT, played: COUNT, byStatus: { completed: COUNT }, refused: {} });
  expect(runsOf(said)).toEqual({ "ask ok": keysOf("/ask"), "call ok": keysOf("/call"), "write ok": keysOf("/write") });
  const attempts = Object.fromEntries(
    said.attempts.map(({ type, connection, attempts: count, failed, retries }: Parsed) => [
      `${type} ${connection}`,
      [count, failed, retries],
    ]),
  );
  expect(attempts).toEqual({ "api_call crm": [120, 0, 0], "webhook null": [210, 90, 90] });
  // Of each first what was asked for, then what followed from it.
  const orders = subjects.map(({ variables: { customer } }) =>
    calls.filter(({ body }) => body.includes(`"${customer}"`)).map(({ url }) => url.pathname),
  );
  expect(orders.every(([first]) => first === "/ask")).toBe(true);
  expect(said).toMatchObject({ bottleneck: "crm", cost: { currency: "EUR", amount: 0.24 } });
  expect(said.notes).toEqual([naming("webhook")]);
});

it("lasts as long as the rate that is given lets it, whatever is stored", async () => {
  const shop = await engine(journey);
  const body = {
    subjects: [{ variables: { customer: "c", kind: "big" } }],
    count: 6_000,
    startAt: "2026-12-01T08:00:00Z",
    connections: { crm: { provider: "http", rateLimit: { perMinute: 60 } } },
  };
  const said = await shop.must(200, "POST", "/v1/definitions/news/forecast", { body });
  expect(said.executions).toMatchObject({ of: 6_000, played: 2_000 });
  // The last of two thousand, each of whom stands for three; and each comes a little late.
  expect(said.lastAt.slice(0, 19)).toBe("2026-12-01T09:39:57");
  expect(
    said.times.map(({ from, connection, attempts }: Parsed) => [from.slice(11, 13), connection, attempts]),
  ).toEqual([
    ["08", "crm", 3_600],
    ["08", null, 3_600],
    ["09", "crm", 2_400],
    ["09", null, 2_400],
  ]);
  expect(said.lastHeldBy).toBeNull();
  expect(said.holds[0]).toMatchObject({ reason: "rate_limited", connection: "crm" });
});

it("refuses what nothing in the definition or among the connections is called", async () => {
  const shop = await engine(journey);
  const subjects = [{ variables: { customer: "c" } }];
  const body = { subjects, shares: { asks: [{ share: 0.5, outcome: {} }] }, connections: { crn: { concurrency: 1 } } };
  const { errors } = await shop.must(400, "POST", "/v1/definitions/news/forecast", { body });
  expect(errors.map(({ pointer }: Parsed) => pointer)).toEqual(["/connections/crn", "/shares/asks"]);
  const less = { subjects: [...subjects, { variables: {} }], count: 1 };
  const few = await shop.must(400, "POST", "/v1/definitions/news/forecast", { body: less });
  expect(few.errors.map(({ pointer }: Parsed) => pointer)).toEqual(["/count"]);
});

function runsOf({ runs }: Parsed): Record<string, number> {
  return Object.fromEntries(runs.map(({ action, status, runs: count }: Parsed) => [`${action} ${status}`, count]));
}

async function completed(shop: Engine): Promise<number> {
  const query = "SELECT count(*) AS total FROM executions WHERE tenant = ? AND status = 'completed'";
  const row = await bindings.DB.prepare(query).bind(shop.tenant).first<{ total: number }>();
  return row?.total ?? 0;
}
