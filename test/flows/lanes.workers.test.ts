// The whole path of an action in each lane: start, claim, call, outcome, transition, history and lists.
import { describe, expect, it } from "vitest";
import { DIRECT_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";
import type { Parsed } from "#test/support/api.ts";
import { bindings, chain, engine, hook, provider, until } from "./engine.ts";

/** Far more than these take, and far less than what hangs. */
const NOBODY_WAITED_MS = 8_000;

const three = ["reserve", "charge", "confirm"];
const fast = { backoffStrategy: "fixed", baseDelay: 10, jitter: "none" };

describe.each([
  { placement: "own", lane: "auto", taken: "direct" },
  { placement: "own", lane: "direct", taken: "direct" },
  { placement: "own", lane: "queue", taken: "queue" },
  { placement: "pooled", lane: "auto", taken: "direct" },
  { placement: "pooled", lane: "queue", taken: "queue" },
])("$placement, lane $lane", ({ placement, lane, taken }) => {
  it("three actions follow each other, each called once under its own key", async () => {
    const { calls } = provider();
    const shop = await engine(chain("order", three, { placement, lane }));
    const id = await shop.start("order", { correlationId: "c-1", variables: { total: 3 } });
    const done = await shop.reaches(id, "completed");
    const runs = await shop.runs(id);
    expect(runs.map(({ action, status, lane }) => [action, status, lane])).toEqual(
      three.map((name) => [name, "ok", taken]),
    );
    expect(calls.map(({ key, url }) => [key, url.pathname])).toEqual(
      runs.map(({ id: run, action }) => [`${id}/${run}`, `/${action}`]),
    );
    expect(new Set(calls.map(({ key }) => key)).size).toBe(3);
    const listed = await until("it is listed as completed", async () => {
      const { data } = await shop.must(200, "GET", "/v1/executions?correlationId=c-1");
      return data[0]?.status === "completed" ? data : null;
    });
    expect(listed).toMatchObject([{ id, states: ["done"], finishedAt: done.finishedAt, placement }]);
    expect((await shop.journal(id)).filter(({ kind }) => kind === "moved").map(({ to }) => to)).toEqual([
      ...three,
      "done",
    ]);
  });

  it("the history tells an action's life in order", async () => {
    provider();
    const shop = await engine(chain("note", ["notify"], { placement, lane }));
    const id = await shop.start("note");
    await shop.reaches(id, "completed");
    const kinds = (await shop.journal(id)).map(({ kind }) => kind);
    expect(kinds).toEqual([
      ...["started", "moved", "run_created", "run_dispatched", "run_claimed", "run_settled", "run_ok"],
      ...["event_ignored", "moved", "completed"],
    ]);
  });
});

it("what does not fit into a cell's direct flights goes through the queue", async () => {
  const names = Array.from({ length: DIRECT_IN_FLIGHT_MAX + 2 }, (_, n) => `h${n}`);
  provider();
  const shop = await engine({
    kind: "machine",
    name: "wide",
    initial: "open",
    concurrency: names.length,
    states: { open: { on: { close: "done" } }, done: { type: "final" } },
    actions: names.map((name) => hook(name, { triggerState: "open" })),
  });
  const id = await shop.start("wide");
  const runs = await until("all are done", async () => {
    const found = await shop.runs(id);
    return found.every(({ status }) => status === "ok") ? found : null;
  });
  expect(runs.map(({ lane }) => lane)).toEqual([...Array(DIRECT_IN_FLIGHT_MAX).fill("direct"), "queue", "queue"]);
});

it("who leaves together with one that is slow does not wait for it", async () => {
  let release: (answer: Response) => void = () => {};
  const slow = new Promise<Response>((resolve) => (release = resolve));
  const { calls } = provider(({ url }) => (url.pathname === "/h1" ? slow : Response.json({ ok: true })));
  const names = ["h0", "h1", "h2"];
  const shop = await engine({
    kind: "machine",
    name: "beside",
    initial: "open",
    concurrency: names.length,
    states: { open: { on: { "action.h1.ok": "done" } }, done: { type: "final" } },
    actions: names.map((name) => hook(name, { triggerState: "open" })),
  });
  const id = await shop.start("beside");
  const statuses = async () => (await shop.runs(id)).map(({ status }) => status);
  await until("the quick ones are done", async () => ((await statuses()).join() === "ok,running,ok" ? true : null));
  release(Response.json({ ok: true }));
  await shop.reaches(id, "completed");
  expect(calls.map(({ url }) => url.pathname)).toEqual(["/h0", "/h1", "/h2"]);
  expect((await shop.runs(id)).map(({ lane, attempt }) => [lane, attempt])).toEqual(names.map(() => ["direct", 1]));
});

it("an action that may take longer than a direct flight goes through the queue", async () => {
  provider();
  const shop = await engine(chain("long", ["render"], {}, { timeout: 60_000 }));
  const id = await shop.start("long");
  await shop.reaches(id, "completed");
  expect(await shop.runs(id)).toMatchObject([{ lane: "queue" }]);
});

it("a 503 is tried again under the same key, not before its Retry-After", async () => {
  const { calls } = provider(({ attempt }) =>
    attempt === 1 ? new Response("busy", { status: 503, headers: { "Retry-After": "1" } }) : Response.json({}),
  );
  const shop = await engine(chain("patient", ["notify"], {}, { retryPolicy: fast }));
  const id = await shop.start("patient");
  await shop.reaches(id, "completed");
  expect(calls.map(({ key }) => key)).toEqual([`${id}/1.0`, `${id}/1.0`]);
  const [run] = await shop.runs(id);
  expect(run).toMatchObject({
    attempt: 2,
    status: "ok",
    attempts: [{ error: { type: "service_unavailable" } }, { error: null }],
  });
  expect(run.attempts.map(({ lane }: Parsed) => lane)).toEqual(["direct", "direct"]);
  expect(Date.parse(run.attempts[1].startedAt) - Date.parse(run.attempts[0].endedAt)).toBeGreaterThanOrEqual(1_000);
});

it("every attempt sends the same bytes, whatever has been patched meanwhile", async () => {
  const { calls } = provider(({ attempt }) => new Response(null, { status: attempt < 3 ? 500 : 200 }));
  const payload = { text: "Dear {{ execution.variables.name }}" };
  const action = {
    config: { url: "https://provider.example.com/mail", payload },
    retryPolicy: { ...fast, baseDelay: 150 },
  };
  const shop = await engine(chain("frozen", ["mail"], { variables: { name: "Ada" } }, action));
  const id = await shop.start("frozen");
  await until("the first attempt", () => (calls.length > 0 ? true : null));
  await shop.must(200, "POST", `/v1/executions/${id}/patch`, { body: { variables: { name: "Grace" } } });
  await shop.reaches(id, "completed");
  expect(calls.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify({ text: "Dear Ada" })));
});

it("a run that failed for good is a dead letter, in its object and in the catalog", async () => {
  provider(() => new Response("no such account", { status: 404 }));
  const shop = await engine(chain("doomed", ["notify"]));
  const id = await shop.start("doomed");
  const waiting = await shop.reaches(id, "waiting");
  expect(waiting.states).toEqual(["notify"]);
  expect(await shop.runs(id)).toMatchObject([
    { status: "failed", deadLetter: true, attempt: 1, error: { type: "not_found" } },
  ]);
  const inCatalog = bindings.DB.prepare("SELECT error_type FROM runs WHERE execution = ? AND dead_letter = 1").bind(id);
  expect(await until("the catalog knows", () => inCatalog.first("error_type"))).toBe("not_found");
});

it("attempts are counted, and the machine hears of the last one", async () => {
  const { calls } = provider(() => new Response(null, { status: 500 }));
  const machine: Parsed = chain("counted", ["notify"], {}, { retryPolicy: { ...fast, maxAttempts: 3 } });
  machine.states.notify.on["action.notify.failed"] = "sorry";
  machine.states.sorry = { type: "final", outcome: "failed" };
  const shop = await engine(machine);
  const id = await shop.start("counted");
  const failed = await shop.reaches(id, "failed");
  expect(failed.states).toEqual(["sorry"]);
  expect(calls.map(({ key }) => key)).toEqual(Array(3).fill(`${id}/1.0`));
});

/** The second attempt answers at once, and on a busy machine that takes a while. */
const ANSWERED_WITHIN_MS = 1_000;

it("a provider that never answers is a timeout, not a hang", async () => {
  const { calls } = provider(async ({ attempt }) => {
    if (attempt === 1) await scheduler.wait(3_000);
    return Response.json({});
  });
  const shop = await engine(chain("hanging", ["notify"], {}, { timeout: ANSWERED_WITHIN_MS, retryPolicy: fast }));
  const id = await shop.start("hanging");
  await shop.reaches(id, "completed");
  expect(await shop.runs(id)).toMatchObject([{ attempts: [{ error: { type: "timeout" } }, { error: null }] }]);
  expect(calls.length).toBe(2);
});

describe.each([
  // Both are kept busy by one tenant: its flights hang, or its slow actions hold a consumer.
  { lane: "direct", flood: { placement: "pooled" }, count: 2 * DIRECT_IN_FLIGHT_MAX, timeout: 30_000 },
  { lane: "queue", flood: { lane: "queue" }, count: 20, timeout: 60_000 },
])("while one tenant's slow actions hang in the $lane lane", ({ lane, flood, count, timeout }) => {
  it("another tenant's go through as if it were alone", async () => {
    let isOpen = false;
    const { calls } = provider(async ({ url }) => {
      if (url.pathname === "/hang") await until("the gate opens", () => (isOpen ? true : null), 50_000);
      return Response.json({});
    });
    const greedy = await engine(chain("greedy", ["hang"], flood, { timeout }));
    const executions = Array.from({ length: count }, () => ({ definition: "greedy" }));
    const { results } = await greedy.must(200, "POST", "/v1/executions/batch", { body: { executions } });
    await until("they hang", () => (calls.length > 0 ? true : null));
    const modest = await engine(chain("modest", three, { lane }));
    const began = Date.now();
    const ids = await Promise.all(Array.from({ length: 5 }, () => modest.start("modest")));
    for (const id of ids) await modest.reaches(id, "completed");
    expect(Date.now() - began).toBeLessThan(NOBODY_WAITED_MS);
    expect((await greedy.read(results[0].id)).status).toBe("active");
    isOpen = true;
    for (const { id } of results) await greedy.reaches(id, "completed");
  });
});
