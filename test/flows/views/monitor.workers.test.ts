// The monitor's view over the real Worker: what its document wants tested, by name.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { bindings, engine, hook, PROVIDER, provider, until, type Engine } from "../engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

const SOON_MS = 3_000;

/** Sends once, a moment after it was started. */
function soon(name: string, priority: number, retryPolicy: object = { maxAttempts: 1 }) {
  return {
    kind: "machine",
    name,
    initial: "a",
    states: { a: { on: { [`action.${name}.ok`]: "done" } }, done: { type: "final" } },
    actions: [hook(name, { triggerState: "a", delay: SOON_MS, priority, retryPolicy })],
  };
}

/** Started and told to the lists; then its alarm is lost, before it would have gone off. */
async function overdue(shop: Engine, definitions: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const definition of definitions) ids.push(await shop.start(definition));
  const dueAt = Date.now() + SOON_MS;
  await until("lists know them", async () => ((await listed(shop)) === ids.length ? true : null));
  for (const id of ids) await runInDurableObject(shop.stub(id), (_object, { storage }) => storage.deleteAlarm());
  await scheduler.wait(Math.max(0, dueAt - Date.now()));
  return ids;
}

async function listed(shop: Engine): Promise<number> {
  const row = await bindings.DB.prepare("SELECT count(*) AS n FROM runs WHERE tenant = ? AND status = 'scheduled'")
    .bind(shop.tenant)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

const process = (shop: Engine, body: object = {}) => shop.must(200, "POST", "/api/execution/process", { body });
const status = async (shop: Engine, id: string) => (await shop.must(200, "GET", `/api/execution/status/${id}`)).data;

describe("JourneyExecutor", () => {
  it("should process queue items in priority order", async () => {
    const { calls } = provider();
    const priorities = { one: 1, five: 5, three: 3 };
    const shop = await engine(...Object.entries(priorities).map(([name, priority]) => soon(name, priority)));
    await overdue(shop, ["one", "five", "three"]);
    const { data: first } = await process(shop, { batchSize: 2 });
    expect(first).toMatchObject({ processed: 2, successful: 2, failed: 0, queueDepth: 1 });
    const { data: rest } = await process(shop);
    expect(rest).toMatchObject({ processed: 1, successful: 1, failed: 0, queueDepth: 0 });
    expect(calls.map(({ url }) => url.pathname)).toEqual(["/five", "/three", "/one"]);
  });

  it("should handle module execution failures gracefully", async () => {
    provider(({ attempt }) => new Response(null, { status: attempt === 1 ? 503 : 200 }));
    const shop = await engine(soon("mail", 0, { maxAttempts: 4, baseDelay: 60_000 }));
    const [id = ""] = await overdue(shop, ["mail"]);
    const { data } = await process(shop);
    expect(data).toMatchObject({ processed: 1, successful: 0, failed: 1, queueDepth: 0 });
    expect(Date.parse(data.nextScheduled) - Date.now()).toBeGreaterThan(50_000);
    const waits = await status(shop, id);
    expect(waits).toMatchObject({ status: "waiting", errorCount: 0, nextExecution: data.nextScheduled });
    expect(waits.scheduledNodes).toMatchObject([{ node: "a", action: "mail", at: data.nextScheduled, held: null }]);
    const { data: history } = await shop.must(200, "GET", `/api/execution/history/${id}`);
    expect(history).toMatchObject([
      {
        attempt: 1,
        executionStatus: "failed",
        inputData: { url: `${PROVIDER}/mail` },
        errorDetails: { retryable: true },
      },
    ]);
  });

  it("leaves to themselves what has been retried more often than it is asked to", async () => {
    provider();
    const shop = await engine(soon("mail", 0));
    const [id = ""] = await overdue(shop, ["mail"]);
    await bindings.DB.prepare("UPDATE runs SET attempt = 3, status = 'retry' WHERE tenant = ?").bind(shop.tenant).run();
    expect((await process(shop, { maxRetries: 2 })).data).toMatchObject({ processed: 0, queueDepth: 1 });
    expect((await shop.read(id)).status).toBe("waiting");
  });

  it("maintains execution state across restarts", async () => {
    const { calls } = provider();
    const shop = await engine(soon("mail", 0));
    const [id = ""] = await overdue(shop, ["mail"]);
    const before = await status(shop, id);
    await abortAllDurableObjects();
    expect(await status(shop, id)).toEqual(before);
    await process(shop);
    await shop.reaches(id, "completed");
    expect(await status(shop, id)).toMatchObject({
      status: "completed",
      completedNodes: ["a", "done"],
      progress: { completed: 2, total: 2, percentage: 100 },
    });
    expect(calls).toHaveLength(1);
  });

  it("what takes longer than it waits for is processed, and has come to nothing yet", async () => {
    let isOpen = false;
    provider(async () => (await until("the gate opens", () => (isOpen ? true : null)), Response.json({})));
    const shop = await engine(soon("slow", 0));
    const [id = ""] = await overdue(shop, ["slow"]);
    expect((await process(shop)).data).toMatchObject({ processed: 1, successful: 0, failed: 0, queueDepth: 0 });
    isOpen = true;
    await shop.reaches(id, "completed");
  });
});

it("an action that is exhausted pauses its journey, and its supplier is told which and for whom", async () => {
  const told: string[] = [];
  const { calls } = provider(({ url, body }) => {
    if (url.pathname === "/supplier") told.push(body);
    return new Response(null, { status: url.pathname === "/thanks" && attempts() === 1 ? 503 : 200 });
  });
  const attempts = (): number => calls.filter(({ url }) => url.pathname === "/thanks").length;
  const node = (path: string) => ({
    type: "webhook",
    config: { url: `${PROVIDER}${path}` },
    retryPolicy: { maxAttempts: 1 },
  });
  const shop = await engine({
    kind: "journey",
    name: "wedding",
    defaults: { webhook: { onExhausted: "pause" } },
    initial: "hold",
    nodes: { hold: { ...node("/hold"), next: "thanks" }, thanks: node("/thanks") },
  });
  const channel = { kind: "webhook", config: { url: `${PROVIDER}/supplier` } };
  await shop.must(201, "POST", "/v1/alert-channels", { body: { name: "supplier", channel } });
  const id = await shop.start("wedding", { variables: { clientName: "Ada & Eve" } });
  await shop.reaches(id, "paused");
  const paused = await status(shop, id);
  expect(paused).toMatchObject({
    status: "paused",
    completedNodes: ["hold"],
    errorCount: 1,
    lastError: expect.stringContaining("503"),
    progress: { completed: expect.any(Number), total: 2 },
  });
  const alert = await until("the supplier is told", () => told[0] ?? null);
  expect(JSON.parse(alert)).toMatchObject({ severity: "high", title: naming("wedding") });
  expect(alert).toContain('\\"Ada & Eve\\"');
  const { data: history } = await shop.must(200, "GET", `/api/execution/history/${id}`);
  const item = history.find(({ node: name }: { node: string }) => name === "thanks").queueItemId;
  const retried = await shop.must(200, "POST", `/api/execution/retry/${item}`, { body: { resetRetryCount: false } });
  expect(retried.data.message).toBe("Execution retried");
  await shop.reaches(id, "completed");
  expect(await status(shop, id)).toMatchObject({ completedNodes: ["hold", "thanks"], progress: { percentage: 100 } });
});

it("what was done is counted on its day", async () => {
  provider();
  const shop = await engine(soon("mail", 0));
  await shop.reaches(await shop.start("mail"), "completed");
  const data = await until("the day is counted", async () => {
    const { data: metrics } = await shop.must(200, "GET", "/api/execution/metrics?days=2");
    return metrics.today.totalExecutions === 1 ? metrics : null;
  });
  expect(data.today).toMatchObject({ successRate: 1 });
  expect(data.today.avgExecutionTime).toBeGreaterThanOrEqual(0);
  expect(data.trends.at(-1).executions).toBe(1);
});
