// The worker routes over HTTP: exact shapes, and the same values as the engine's own routes.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { applyProjections } from "#catalog/projections/projections.ts";
import type { Installation } from "#schema/engine/installation.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { api, must, order, tenantWithKey, type Api } from "#test/support/api.ts";
import { executionRow, NOW, projection, runRow } from "#test/support/catalog.ts";
import { openDb } from "#catalog/db.ts";
import { naming } from "#test/support/matchers/naming.ts";

test("executions are listed by the trigger that started them", async () => {
  const { made, ask, tenant } = await here();
  const [mine, plain] = ["exe_a", "exe_b"].map((id, n) => ({
    tenant,
    id,
    createdAt: NOW + n,
    status: "active" as const,
  }));
  await applyProjections(made.world.db, [
    projection({
      executions: [
        executionRow({ tenant, ...mine, triggerId: "trg_1", triggerKind: "webhook" }),
        executionRow({ tenant, ...plain }),
      ],
      runs: ["exe_a", "exe_b"].map((execution) => runRow({ tenant, execution, status: "queued", finishedAt: null })),
    }),
  ]);
  const found = await must(200, ask("GET", "/api/worker/executions?actionInstanceId=trg_1&activationModeId=webhook"));
  expect(found.body.data).toMatchObject([{ id: "exe_a", actionInstanceId: "trg_1", activationModeId: "webhook" }]);
  expect((await must(200, ask("GET", "/api/worker/executions?activationModeId=poller"))).body.data).toEqual([]);
});

const anyCall = { config: z.looseObject({}), timeoutMs: 30_000, retryPolicy: "default" } as const;

async function here(made: Api = api()) {
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, sent: { body?: unknown; key?: string } = {}) =>
    made.ask(method, path, { key: owner.key, ...sent });
  const asRoot = (method: string, path: string) => made.ask(method, path, { headers: { "X-Tenant": owner.tenant } });
  /** Executions of one run each, one second apart, the last one the newest. */
  const listed = async (runs: readonly Partial<Parameters<typeof runRow>[0]>[]) => {
    const { tenant } = owner;
    const at = (n: number) => NOW - (runs.length - n) * 1_000;
    await applyProjections(made.world.db, [
      projection({
        executions: runs.map((run, n) =>
          executionRow({
            tenant,
            id: `exe_${n}`,
            createdAt: at(n),
            status: run.status === "ok" ? "completed" : "active",
          }),
        ),
        runs: runs.map((run, n) =>
          runRow({ tenant, execution: `exe_${n}`, createdAt: at(n), incarnation: at(n), finishedAt: null, ...run }),
        ),
      }),
    ]);
  };
  return { made, ...owner, ask, asRoot, listed };
}

describe("the status", () => {
  test("has exactly the specified fields", async () => {
    const { ask, listed } = await here();
    await listed([{ status: "queued" }, { status: "queued" }, { status: "retry" }]);
    const { body } = await must(200, ask("GET", "/api/worker/status"));
    expect(body).toEqual({
      consumerName: "escapement",
      running: true,
      streamInfo: {
        streamKey: "escapement-actions",
        consumerGroup: "escapement",
        streamInfo: naming(2, "2026-11-18T11:59:57.000Z", 1),
      },
    });
  });

  test("of a suspended tenant is not running", async () => {
    const { made, ask, tenant } = await here();
    const reason = { body: { reason: "unpaid" } };
    await must(200, made.ask("POST", `/v1/tenants/${tenant}/suspend`, reason));
    expect((await must(200, ask("GET", "/api/worker/status"))).body.running).toBe(false);
  });
});

describe("statistics", () => {
  test("count scheduled runs as queued and skipped runs as canceled, besides the eight statuses", async () => {
    const { ask, listed } = await here();
    await listed([...runStatuses, "ok", "ok"].map((status) => ({ status: status as "ok" })));
    const { body } = await must(200, ask("GET", "/api/worker/statistics"));
    const six = { queued: 2, running: 1, ok: 3, retry: 1, failed: 1, canceled: 2 };
    const byStatus = Object.fromEntries(runStatuses.map((status) => [status, status === "ok" ? 3 : 1]));
    expect(body).toEqual({ ...six, byStatus, since: null });
  });

  test("count the tenant's own executions, optionally since an instant", async () => {
    const { made, ask, listed } = await here();
    await listed([{ status: "ok" }, { status: "ok" }, { status: "failed" }]);
    const other = await tenantWithKey(made);
    const theirs = await must(200, made.ask("GET", "/api/worker/statistics", { key: other.key }));
    expect(theirs.body).toMatchObject({ ok: 0, failed: 0 });
    const late = await must(200, ask("GET", "/api/worker/statistics?since=2026-11-18T11:59:58.500Z"));
    expect(late.body).toMatchObject({ ok: 0, failed: 1, since: "2026-11-18T11:59:58.500Z" });
    const wrong = await must(400, ask("GET", "/api/worker/statistics?since=yesterday"));
    expect(wrong.body.errors[0].pointer).toBe("?since");
  });
});

describe("the stream's info", () => {
  const backlogs: Installation["backlogs"] = async () => [
    { messages: 7, bytes: 900, oldestAt: NOW },
    { messages: 0, bytes: 0, oldestAt: null },
  ];
  const installation = { backlogs, publicUrl: null, missingBindings: () => [] };

  test("has the consumers' batch sizes; queue depths need the root key", async () => {
    const { ask, asRoot, listed } = await here(api({ installation }));
    await listed([{ status: "queued" }]);
    const { body } = await must(200, ask("GET", "/api/worker/stream-info"));
    expect(body).toMatchObject({ queued: 1, retry: 0, oldestQueuedAt: "2026-11-18T11:59:59.000Z" });
    expect(body.queues).toMatchObject([
      { queue: "escapement-actions", batchSize: 100, backlog: null },
      { queue: "escapement-actions-slow", backlog: null },
    ]);
    const root = await must(200, asRoot("GET", "/api/worker/stream-info"));
    expect(root.body.queues.map(({ backlog }: { backlog: object }) => backlog)).toEqual([
      { messages: 7, bytes: 900, oldestMessageAt: "2026-11-18T12:00:00.000Z" },
      { messages: 0, bytes: 0, oldestMessageAt: null },
    ]);
  });
});

describe("initializing the stream", () => {
  test("checks bindings and tables, and can be repeated", async () => {
    const { ask } = await here();
    for (let n = 0; n < 2; n++) {
      const { body } = await must(200, ask("POST", "/api/worker/initialize-stream"));
      expect(body).toEqual({ initialized: true, streams: ["escapement-actions", "escapement-actions-slow"] });
    }
  });

  test("lists missing bindings", async () => {
    const installation = { backlogs: async () => [], publicUrl: null, missingBindings: () => ["SLOW_ACTIONS"] };
    const { ask } = await here(api({ installation }));
    const { body } = await must(501, ask("POST", "/api/worker/initialize-stream"));
    expect(body.detail).toContain("SLOW_ACTIONS");
    expect(body.hint).toContain("wrangler.toml");
  });

  test("lists missing columns", async () => {
    const made = api();
    const { ask } = await here(made);
    const { $client } = made.world.db;
    const batch = async (statements: D1PreparedStatement[]) =>
      (await $client.batch<{ name: string }>(statements)).map((one) => ({
        ...one,
        results: one.results.filter(({ name }) => name !== "handled"),
      }));
    const older = new Proxy($client, {
      get: (on, name) => (name === "batch" ? batch : Reflect.get(on, name).bind(on)),
    });
    const lacking = api({ db: openDb(older) });
    const { key } = await tenantWithKey(lacking);
    const { body } = await must(501, lacking.ask("POST", "/api/worker/initialize-stream", { key }));
    expect(body).toMatchObject({ code: "not_configured", detail: naming("runs.handled") });
    await must(200, ask("POST", "/api/worker/initialize-stream"));
  });
});

describe("executions", () => {
  test("are listed by queued and by due for a retry", async () => {
    const { ask, listed } = await here();
    await listed([
      { status: "retry", dueAt: NOW + 60_000 },
      { status: "retry", dueAt: NOW - 1 },
      { status: "queued" },
      { status: "ok" },
      { status: "scheduled" },
    ]);
    const queued = await must(200, ask("GET", "/api/worker/executions?status=queued"));
    expect(queued.body.data).toMatchObject([{ id: "exe_2", status: "QUEUED", areaId: "default", runId: "1.1" }]);
    const byWord = async (status: string): Promise<string[]> =>
      (await must(200, ask("GET", `/api/worker/executions?status=${status}`))).body.data.map(
        (one: { id: string; status: string }) => `${one.id} ${one.status}`,
      );
    expect(await byWord("QUEUED")).toEqual(["exe_4 QUEUED", "exe_2 QUEUED"]);
    expect(await byWord("OK")).toEqual(["exe_3 OK"]);
    expect(await byWord("RETRY")).toEqual(["exe_1 RETRY", "exe_0 RETRY"]);
    const ready = `/api/worker/executions?status=retry&dueBefore=${new Date(NOW).toISOString()}`;
    expect((await must(200, ask("GET", ready))).body.data).toMatchObject([{ id: "exe_1", status: "RETRY" }]);
    const first = await must(200, ask("GET", "/api/worker/executions?limit=3"));
    const second = await must(200, ask("GET", `/api/worker/executions?limit=3&cursor=${first.body.nextCursor}`));
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(["exe_4", "exe_3", "exe_2", "exe_1", "exe_0"]);
    const alone = await must(200, ask("GET", `/v1/actions?status=retry&dueBefore=${new Date(NOW).toISOString()}`));
    expect(alone.body.data, "none of these is an action on its own").toEqual([]);
  });

  test("show the last action in the specified shape, and are canceled with a reason from the query", async () => {
    const { ask } = await here();
    const body = { type: "webhook", config: { url: "https://example.com" }, delay: "PT1H", variables: { a: 1 } };
    const { action } = (await must(201, ask("POST", "/v1/actions", { body }))).body;
    const waiting = await must(200, ask("GET", `/api/worker/executions/${action.id}`));
    expect(waiting.body).toMatchObject({
      id: action.id,
      type: "webhook",
      status: "QUEUED",
      attempt: 0,
      inputPayload: { a: 1 },
      outputPayload: null,
      startedAt: null,
      finishedAt: null,
      error: null,
      dedupKey: null,
      areaId: "default",
    });
    const cancel = `/api/worker/executions/${action.id}/cancel?reason=Manual+cancellation`;
    expect((await must(200, ask("POST", `${cancel}&dryRun=true`))).body.status).toBe("CANCELED");
    expect((await must(200, ask("GET", `/api/worker/executions/${action.id}`))).body.status).toBe("QUEUED");
    expect((await must(200, ask("POST", cancel))).body).toMatchObject({ status: "CANCELED" });
    const { data } = (await must(200, ask("GET", `/v1/executions/${action.id}/journal`))).body;
    expect(JSON.stringify(data)).toContain("Manual cancellation");
  });

  test("of another tenant are 404", async () => {
    const { made, ask } = await here();
    await must(201, ask("POST", "/v1/definitions", { body: order }));
    const { execution } = (await must(201, ask("POST", "/v1/executions", { body: { definition: "order" } }))).body;
    expect((await must(200, ask("GET", `/api/worker/executions/${execution.id}`))).body.status).toBe("QUEUED");
    const other = await tenantWithKey(made);
    await must(404, made.ask("GET", `/api/worker/executions/${execution.id}`, { key: other.key }));
    await must(404, made.ask("POST", `/api/worker/executions/${execution.id}/cancel`, { key: other.key }));
  });
});

test("an action type may have the name that a reaction worker uses", async () => {
  const { ask } = await here(api({ actionTypes: { api_call: anyCall }, configFindings: () => [] }));
  const body = { type: "generic", config: { url: "https://example.com" } };
  const { action } = (await must(201, ask("POST", "/v1/actions", { body }))).body;
  expect(action.type).toBe("api_call");
  expect((await must(200, ask("GET", `/api/worker/executions/${action.id}`))).body.type).toBe("generic");
  const definition = { ...order, name: "by-alias", actions: [{ ...body, actionId: "notify", triggerState: "paid" }] };
  await must(201, ask("POST", "/v1/definitions", { body: definition }));
  const stored = (await must(200, ask("GET", "/v1/definitions/by-alias"))).body;
  expect(JSON.stringify(stored)).toContain('"type":"api_call"');
});
