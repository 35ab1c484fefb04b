// Figures of the monitor routes: metrics, and the history of modules.
import { describe, expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { NOW, projection, runRow } from "#test/support/catalog.ts";
import { deadLetter, letters } from "#test/support/dead-letter.ts";
import { success } from "#test/support/drive.ts";

describe("the metrics", () => {
  async function counted() {
    const made = api();
    const { tenant, key } = await tenantWithKey(made);
    const ask = (method: string, path: string) => made.ask(method, `/api/execution${path}`, { key });
    const ends = (id: string, over: object) =>
      runRow({ tenant, id, status: "ok", finishedAt: NOW, tookMs: 100, type: "email", ...over });
    const failed = { status: "failed", errorType: "service_unavailable", error: "503" };
    const refused = { status: "failed", errorType: "invalid_configuration", error: "no address", tookMs: null };
    await applyProjections(made.world.db, [
      projection({
        runs: [
          ends("1.1", {}),
          ends("2.1", { tookMs: 200, attempt: 3 }),
          ends("3.1", failed),
          ends("4.1", { ...refused, type: "sms" }),
          ends("5.1", { finishedAt: NOW - 86_400_000 }),
        ],
      }),
    ]);
    return { made, key, ask };
  }

  test("have the specified fields, with a trend of thirty days", async () => {
    const { ask } = await counted();
    const { body } = await must(200, ask("GET", "/metrics"));
    expect(body.success).toBe(true);
    expect(Object.keys(body.data)).toEqual(["today", "trends", "errors"]);
    expect(body.data.today).toEqual({ totalExecutions: 4, successRate: 0.6666, avgExecutionTime: 133, queueDepth: 0 });
    expect(body.data.trends).toHaveLength(30);
    expect(body.data.trends.slice(-3)).toEqual([
      { date: "2026-11-16", executions: 0, successRate: 1 },
      { date: "2026-11-17", executions: 1, successRate: 1 },
      { date: "2026-11-18", executions: 4, successRate: 0.6666 },
    ]);
    expect(body.data.errors).toEqual([
      { moduleType: "email", errorCount: 1, lastError: "503" },
      { moduleType: "sms", errorCount: 1, lastError: "no address" },
    ]);
    expect((await must(200, ask("GET", "/metrics?days=2"))).body.data.trends).toHaveLength(2);
    expect((await must(400, ask("GET", "/metrics?days=0"))).body).toMatchObject({
      success: false,
      errors: [{ pointer: "?days" }],
    });
  });

  test("are listed for each day", async () => {
    const { made, key } = await counted();
    const { body } = await must(200, made.ask("GET", "/v1/metrics/days?days=1", { key }));
    expect(body.data).toEqual([
      {
        date: "2026-11-18",
        total: 4,
        successful: 2,
        failed: 1,
        refused: 1,
        retryExecutions: 1,
        avgExecutionTimeMs: 133,
        queueDepthMax: 0,
        queueDepthAvg: 0,
        errorRate: 0.3334,
        successRate: 0.6666,
      },
    ]);
  });

  test("contain only the tenant's own runs", async () => {
    const { made } = await counted();
    const other = await tenantWithKey(made);
    const { body } = await must(200, made.ask("GET", "/api/execution/metrics", { key: other.key }));
    expect(body.data.today).toMatchObject({ totalExecutions: 0, successRate: 1, avgExecutionTime: 0 });
    expect(body.data.errors).toEqual([]);
  });
});

describe("the modules' history", () => {
  test("has each attempt with its input, output and duration", async () => {
    const { made, owner } = await letters();
    const { execution, run, cell } = await deadLetter(made, owner);
    await must(
      200,
      made.ask("POST", `/v1/dead-letters/dl_${execution.slice(4)}.${run}/retry`, { key: owner.key, body: {} }),
    );
    const { clock } = made.world;
    made.cells.take(cell, execution, { kind: "claim", run, attempt: 2, lane: "queue" });
    const [startedAt, endedAt] = [clock.now, clock.now + 250];
    const outcome = success({ result: { status: 200 }, startedAt, endedAt });
    made.cells.take(cell, execution, { kind: "settle", run, attempt: 2, outcome });
    const list = (query = "") =>
      must(200, made.ask("GET", `/api/execution/history/${execution}${query}`, { key: owner.key }));
    const { body } = await list();
    const both = { queueItemId: `${execution}.${run}`, journeyInstanceId: execution, node: "notify" };
    const input = { moduleType: "webhook", inputData: { url: "https://example.com" } };
    expect(body).toEqual({
      success: true,
      nextCursor: null,
      data: [
        {
          ...both,
          ...input,
          attempt: 1,
          executionStatus: "failed",
          outputData: null,
          executionTimeMs: 1_000,
          errorDetails: expect.objectContaining({ type: "not_found", code: "http_404" }),
          executedAt: "2026-11-18T12:00:01.000Z",
        },
        {
          ...both,
          ...input,
          attempt: 2,
          executionStatus: "completed",
          outputData: { status: 200 },
          executionTimeMs: 250,
          errorDetails: null,
          executedAt: "2026-11-18T12:00:01.000Z",
        },
      ],
    });
    const first = (await list("?limit=1")).body;
    expect(first.data).toEqual([body.data[0]]);
    const second = (await list(`?limit=1&cursor=${first.nextCursor}`)).body;
    expect(second.data).toEqual([body.data[1]]);
    expect((await list(`?limit=1&cursor=${second.nextCursor ?? first.nextCursor}`)).body.data.length).toBeLessThan(2);
    const wrong = made.ask("GET", `/api/execution/history/${execution}?cursor=x`, { key: owner.key });
    expect((await must(400, wrong)).body).toMatchObject({ success: false, errors: [{ pointer: "?cursor" }] });
  });
});
