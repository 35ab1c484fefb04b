// The monitor routes over HTTP: exact shapes and envelopes, and the same values as the engine's own routes.
import { describe, expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { api, must, tenantWithKey, type Api } from "#test/support/api.ts";
import { executionRow, NOW, projection } from "#test/support/catalog.ts";
import { success } from "#test/support/drive.ts";
import { deadLetter, letters, miss, project } from "#test/support/dead-letter.ts";

/** A journey that waits a day and then sends; its second action waits for the first. */
const wedding = {
  kind: "machine",
  name: "wedding",
  timezone: "Europe/Zurich",
  initial: "open",
  states: {
    open: { on: { booked: "booked" } },
    booked: { on: { "action.thank.ok": "done" }, after: { P3D: "late" } },
    late: { type: "final", outcome: "failed" },
    done: { type: "final" },
  },
  actions: [
    {
      actionId: "thank",
      type: "webhook",
      triggerState: "booked",
      delay: "P1D",
      config: { url: "https://example.com", authorization: "Bearer abc" },
    },
  ],
};

async function here(made: Api = api()) {
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, `/api/execution${path}`, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  const start = async (): Promise<string> => {
    const body = { definition: "wedding", variables: { couple: "Ada & Eve" } };
    const started = await must(201, made.ask("POST", "/v1/executions", { key: owner.key, body }));
    return started.body.execution.id;
  };
  const event = (id: string, type: string) =>
    must(200, made.ask("POST", `/v1/executions/${id}/events`, { key: owner.key, body: { type } }));
  const put = {
    key: owner.key,
    body: { ...wedding, actions: [{ ...wedding.actions[0], config: { url: "https://example.com" } }] },
  };
  await must(201, made.ask("POST", "/v1/definitions", put));
  return { made, ...owner, ask, start, event };
}

describe("the status", () => {
  test("has the specified fields: current node, next steps with instants, and progress", async () => {
    const { ask, start, event } = await here();
    const id = await start();
    const open = (await must(200, ask("GET", `/status/${id}`))).body;
    expect(open).toEqual({
      success: true,
      data: {
        status: "waiting",
        currentNode: "open",
        completedNodes: [],
        scheduledNodes: [],
        variables: { couple: "Ada & Eve" },
        errorCount: 0,
        progress: { completed: 0, total: 4, percentage: 0 },
      },
    });
    await event(id, "booked");
    const { data } = (await must(200, ask("GET", `/status/${id}`))).body;
    expect(data).toMatchObject({
      status: "waiting",
      currentNode: "booked",
      completedNodes: ["open"],
      nextExecution: "2026-11-19T12:00:00.000Z",
      progress: { completed: 1, total: 4, percentage: 25 },
    });
    expect(data.scheduledNodes).toEqual([
      {
        node: "booked",
        at: "2026-11-19T12:00:00.000Z",
        localTime: "2026-11-19T13:00:00.000+01:00",
        action: "thank",
        type: "webhook",
        queueItemId: expect.stringMatching(new RegExp(`^${id}\\.\\d+\\.\\d+$`)),
        held: null,
      },
      {
        node: "booked",
        at: "2026-11-21T12:00:00.000Z",
        localTime: "2026-11-21T13:00:00.000+01:00",
        action: null,
        type: null,
        queueItemId: null,
        held: null,
      },
    ]);
  });

  test("of a failed execution has attempts and error; a canceled one counts as failed", async () => {
    const { made, owner } = await letters();
    const { execution } = await deadLetter(made, owner);
    const ask = (path: string) => must(200, made.ask("GET", `/api/execution${path}`, { key: owner.key }));
    expect((await ask(`/status/${execution}`)).body.data).toMatchObject({
      errorCount: 1,
      lastError: "POST example.com answered 404",
    });
    const body = { reason: "no longer wanted" };
    await must(200, made.ask("POST", `/v1/executions/${execution}/cancel`, { key: owner.key, body }));
    expect((await ask(`/status/${execution}`)).body.data.status).toBe("failed");
  });

  test("of an execution with deleted history has the catalog's fields", async () => {
    const { made, tenant, ask, start, event } = await here();
    const id = await start();
    await event(id, "booked");
    const cell = cellName(tenant, id);
    const state = made.cells.take(cell, id, { kind: "tick" });
    const row = { ...executionRow({ tenant }), id, createdAt: state.createdAt, states: ["done"], finishedAt: NOW };
    await applyProjections(made.world.db, [projection({ executions: [row] })]);
    made.cells.remove(cell, id);
    const { data } = (await must(200, ask("GET", `/status/${id}`))).body;
    expect(data).toMatchObject({ status: "completed", completedNodes: ["done"], progress: { percentage: 100 } });
  });
});

test("of a journey has its nodes, as the execution's own route does", async () => {
  const { made, key, tenant, ask } = await here();
  const url = "https://example.com";
  const journey = {
    kind: "journey",
    name: "couple",
    timezone: "Europe/Zurich",
    initial: "hold",
    nodes: {
      hold: { type: "webhook", config: { url }, next: "pause" },
      pause: { type: "delay", config: { delayUntil: "{{ execution.variables.weddingDate }}" }, next: "thanks" },
      thanks: { type: "webhook", config: { url } },
    },
  };
  await must(201, made.ask("POST", "/v1/definitions", { key, body: journey }));
  const body = { definition: "couple", variables: { weddingDate: "2027-06-12T09:00:00", name: "Ada & Eve" } };
  const { execution } = (await must(201, made.ask("POST", "/v1/executions", { key, body }))).body;
  const cell = cellName(tenant, execution.id);
  const [run] = made.cells.take(cell, execution.id, { kind: "tick" }).runs;
  const attempt = { run: run?.id ?? "", attempt: 1 };
  made.cells.take(cell, execution.id, { kind: "claim", ...attempt, lane: "queue" });
  made.cells.take(cell, execution.id, { kind: "settle", ...attempt, outcome: success() });
  const at = "2027-06-12T07:00:00.000Z";
  const scheduled = { node: "pause", at, localTime: "2027-06-12T09:00:00.000+02:00", queueItemId: null };
  const progress = { completed: 1, total: 3, percentage: 33 };
  expect((await must(200, ask("GET", `/status/${execution.id}`))).body.data).toMatchObject({
    status: "waiting",
    currentNode: "pause",
    completedNodes: ["hold"],
    nextExecution: at,
    progress,
    scheduledNodes: [scheduled],
  });
  const read = await must(200, made.ask("GET", `/v1/executions/${execution.id}`, { key }));
  expect(read.body.journey).toEqual({
    currentNode: "pause",
    completedNodes: ["hold"],
    skippedNodes: [],
    failedNodes: [],
    progress,
    scheduledNodes: [{ ...scheduled, action: null, type: null, held: null }],
  });
  const paused = await must(200, ask("POST", `/pause/${execution.id}`, {}));
  expect(paused.body.data).toEqual({ status: "paused", affectedNodes: 1 });
  const { data } = (await must(200, ask("GET", `/history/${execution.id}`))).body;
  expect(data).toMatchObject([{ node: "hold", moduleType: "webhook", inputData: { url } }]);
});

describe("pausing and resuming", () => {
  test("return the number of held nodes, and resume", async () => {
    const { ask, start, event } = await here();
    const id = await start();
    await event(id, "booked");
    const dry = await must(200, ask("POST", `/pause/${id}?dryRun=true`, {}));
    expect(dry.body).toEqual({ success: true, data: { status: "paused", affectedNodes: 1 } });
    expect((await must(200, ask("POST", `/pause/${id}`, { reason: "snow" }))).body).toEqual(dry.body);
    const { data } = (await must(200, ask("GET", `/status/${id}`))).body;
    expect(data).toMatchObject({ status: "paused", scheduledNodes: [{ held: "paused" }, { held: "paused" }] });
    expect(data).not.toHaveProperty("nextExecution");
    const again = await must(409, ask("POST", `/pause/${id}`, {}));
    expect(again.body).toMatchObject({ success: false, error: expect.any(String), code: "execution_paused" });
    const on = await must(200, ask("POST", `/resume/${id}`));
    expect(on.body).toEqual({ success: true, data: { status: "waiting", affectedNodes: 1 } });
    expect((await must(409, ask("POST", `/resume/${id}`))).body.code).toBe("execution_not_paused");
  });

  test("repeats with the same key apply once", async () => {
    const { ask, start } = await here();
    const id = await start();
    const key = { "Idempotency-Key": "pause-1" };
    await must(200, ask("POST", `/pause/${id}`, {}, key));
    await must(200, ask("POST", `/pause/${id}`, {}, key));
  });
});

describe("retrying an item of the queue", () => {
  test("restarts the retry policy, or makes exactly one more attempt", async () => {
    const { made, owner } = await letters();
    const { execution, run, cell } = await deadLetter(made, owner);
    const item = `${execution}.${run}`;
    const retry = (body: unknown, query = "") =>
      made.ask("POST", `/api/execution/retry/${item}${query}`, { key: owner.key, body });
    const once = { resetRetryCount: false };
    await must(200, retry(once, "?dryRun=true"));
    const { body } = await must(200, retry(once));
    expect(body).toEqual({
      success: true,
      data: {
        message: "Execution retried",
        queueItemId: item,
        executionStatus: "pending",
        retryCount: 1,
        scheduledFor: null,
      },
    });
    const failed = miss(made, cell, execution, { retryable: true, type: "service_unavailable" });
    expect(failed.runs[0]).toMatchObject({ deadLetter: true, attempt: 2, redriven: { once: true } });
    await must(200, retry({ resetRetryCount: true }));
    const tried = miss(made, cell, execution, { retryable: true, type: "service_unavailable" });
    expect(tried.runs[0]).toMatchObject({ status: "retry", attempt: 3 });
    const gone = await must(409, retry({}));
    expect(gone.body).toMatchObject({ success: false, code: "run_not_startable" });
  });

  test("requires a valid item id", async () => {
    const { ask } = await here();
    const wrong = await must(400, ask("POST", "/retry/exe_1"));
    expect(wrong.body).toMatchObject({ success: false, code: "invalid_input", errors: [{ pointer: "{queueItemId}" }] });
    await must(404, ask("POST", "/retry/exe_1.1.1"));
    const unknown = await must(400, ask("POST", "/retry/exe_1.1.1", { resetRetries: false }));
    expect(unknown.body.errors[0]).toMatchObject({ pointer: "/resetRetries" });
  });
});

describe("processing", () => {
  test("with nothing due does nothing", async () => {
    const { ask, start } = await here();
    await start();
    const { body } = await must(200, ask("POST", "/process"));
    expect(body).toEqual({ success: true, data: { processed: 0, successful: 0, failed: 0, queueDepth: 0 } });
  });

  test("a dry run counts due items and calls no object", async () => {
    const { made, tenant, ask, start, event } = await here();
    const id = await start();
    await event(id, "booked");
    await project(made, { cell: cellName(tenant, id), execution: id });
    expect((await must(200, ask("POST", "/process?dryRun=true", {}))).body.data).toEqual({
      processed: 0,
      successful: 0,
      failed: 0,
      queueDepth: 0,
      nextScheduled: "2026-11-19T12:00:00.000Z",
    });
    made.world.clock.now += 25 * 60 * 60_000;
    const before = made.cells.calls.length;
    const { data } = (await must(200, ask("POST", "/process?dryRun=true", {}))).body;
    expect(data).toEqual({ processed: 1, successful: 0, failed: 0, queueDepth: 1 });
    expect(made.cells.calls.length).toBe(before);
  });

  test.each([{ batchSize: 0 }, { batchSize: 101 }, { maxRetries: -1 }, { maxRetries: 1.5 }])(
    "refuses %j, and says which field",
    async (body) => {
      const { ask } = await here();
      const refused = await must(400, ask("POST", "/process", body));
      expect(refused.body).toMatchObject({ success: false, errors: [{ pointer: `/${Object.keys(body)[0]}` }] });
    },
  );
});

test("every failure is in the console's envelope", async () => {
  const { made, ask, start } = await here();
  const id = await start();
  const other = await tenantWithKey(made, ["read"]);
  for (const [status, answer] of [
    [401, made.ask("GET", "/api/execution/metrics", { key: "esk_no" })],
    [403, made.ask("POST", `/api/execution/pause/${id}`, { key: other.key })],
    [404, made.ask("GET", `/api/execution/status/${id}`, { key: other.key })],
    [404, ask("GET", "/nowhere")],
    [400, ask("GET", "/status/x")],
  ] as const) {
    const { body } = await must(status, answer);
    expect(body).toMatchObject({ success: false, error: expect.any(String), code: expect.any(String), status });
  }
});
