// Starting, reading and steering executions over HTTP.
import { describe, expect, test } from "vitest";
import { api, must, shop } from "#test/support/api.ts";

const start = (definition = "order") => ({ definition, variables: { total: 42 }, correlationId: "o-17" });

describe("starting", () => {
  test("answers 201 with the execution", async () => {
    const made = api();
    const { key } = await shop(made);
    const { body, headers } = await must(201, made.ask("POST", "/v1/executions", { key, body: start() }));
    expect(body).toMatchObject({ repeated: false, dryRun: false, timersMoved: [] });
    expect(body.execution).toMatchObject({
      namespace: "default",
      definition: { name: "order", version: 1 },
      placement: "own",
      status: "waiting",
      states: ["open"],
      variables: { total: 42 },
      correlationId: "o-17",
      createdAt: "2026-11-18T12:00:00.000Z",
      wakeAt: "2026-11-19T12:00:00.000Z",
      runs: {},
    });
    expect(body.execution.waitingFor).toEqual([
      { for: "timer", timer: expect.any(String), at: "2026-11-19T12:00:00.000Z" },
      { for: "event" },
    ]);
    expect(headers.get("X-Request-Id")).toMatch(/^req_/);
  });

  test("is one call to one object, and asks the catalog nothing once key and definition are known", async () => {
    const made = api();
    const { key } = await shop(made);
    await must(201, made.ask("POST", "/v1/executions", { key, body: start() }));
    made.cells.calls.length = 0;
    const asked: string[] = [];
    const { $client } = made.world.db;
    const prepare = $client.prepare.bind($client);
    $client.prepare = (sql: string) => (asked.push(sql), prepare(sql));
    await must(201, made.ask("POST", "/v1/executions", { key, body: start(), headers: { "Idempotency-Key": "hot" } }));
    expect(made.cells.calls).toMatchObject([{ method: "start", items: 1 }]);
    expect(asked).toEqual([]);
    await must(201, made.ask("POST", "/v1/executions", { key, body: start("order@1") }));
    expect(asked.length).toBe(1); // a reference not seen before is looked up: the count above does count
  });

  test("again under the same key and body gives the same execution; another body is refused", async () => {
    const made = api();
    const { key } = await shop(made);
    const headers = { "Idempotency-Key": "order-17" };
    for (const definition of ["order", "pooled-order"]) {
      const first = await must(201, made.ask("POST", "/v1/executions", { key, headers, body: start(definition) }));
      const shuffled = { correlationId: "o-17", variables: { total: 42 }, definition };
      const again = await must(200, made.ask("POST", "/v1/executions", { key, headers, body: shuffled }));
      expect(again.body).toMatchObject({ repeated: true, execution: { id: first.body.execution.id } });
      const other = { ...start(definition), variables: { total: 43 } };
      const refused = await must(422, made.ask("POST", "/v1/executions", { key, headers, body: other }));
      expect(refused.body.code).toBe("idempotency_conflict");
    }
  });

  test("takes an id of the caller's own, once", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { ...start(), id: "exe_order-17" };
    const first = await must(201, made.ask("POST", "/v1/executions", { key, body }));
    expect(first.body.execution.id).toBe("exe_order-17");
    const second = await must(409, made.ask("POST", "/v1/executions", { key, body }));
    expect(second.body.code).toBe("already_exists");
  });

  test("refuses an own id where executions share a cell, and says what to do instead", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { ...start("pooled-order"), id: "exe_order-17" };
    const refused = await must(400, made.ask("POST", "/v1/executions", { key, body }));
    expect(refused.body).toMatchObject({ errors: [{ pointer: "/id" }], hint: expect.stringContaining("Idempotency-Key") });
  });

  test("dry runs say what would happen and make no object", async () => {
    const made = api();
    const { key } = await shop(made);
    const { body } = await must(200, made.ask("POST", "/v1/executions?dryRun=true", { key, body: start() }));
    expect(body).toMatchObject({ dryRun: true, execution: { states: ["open"] } });
    expect(body.entries.map((entry: { kind: string }) => entry.kind)).toContain("timer_armed");
    expect(made.cells.calls).toEqual([]);
  });

  test("refuses unknown and archived definitions, and variables that are too large", async () => {
    const made = api();
    const { key } = await shop(made);
    const unknown = await must(404, made.ask("POST", "/v1/executions", { key, body: { definition: "ordre" } }));
    expect(unknown.body.errors).toMatchObject([{ pointer: "/definition" }]);
    const large = { definition: "order", variables: { text: "x".repeat(300_000) } };
    const tooLarge = await must(422, made.ask("POST", "/v1/executions", { key, body: large }));
    expect(tooLarge.body).toMatchObject({ code: "limit_exceeded", details: { field: "variables", limit: 262_144 } });
    await must(200, made.ask("POST", "/v1/definitions/order/archive", { key, body: {} }));
    const archived = await must(409, made.ask("POST", "/v1/executions", { key, body: start() }));
    expect(archived.body.code).toBe("definition_archived");
  });
});

describe("starting many", () => {
  test("calls each cell once and answers each in order", async () => {
    const made = api();
    const { key } = await shop(made);
    const executions = Array.from({ length: 60 }, (_, n) => (n === 7 ? { definition: "none" } : start("pooled-order")));
    made.cells.calls.length = 0;
    const { body } = await must(200, made.ask("POST", "/v1/executions/batch", { key, body: { executions } }));
    expect(body).toMatchObject({ started: 59, repeated: 0, refused: 1 });
    expect(body.results[7]).toMatchObject({ ok: false, problem: { code: "not_found", status: 404 } });
    expect(body.results[8]).toMatchObject({ ok: true, id: expect.stringMatching(/_p\d+$/), status: "waiting" });
    const called = made.cells.calls.map((call) => call.cell);
    expect(new Set(called).size).toBe(called.length);
    expect(called.length).toBeLessThanOrEqual(16);
  });

  test("repeated under one key starts nothing twice", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { executions: [start(), { ...start(), idempotencyKey: "mine" }] };
    const headers = { "Idempotency-Key": "batch-1" };
    const first = await must(200, made.ask("POST", "/v1/executions/batch", { key, headers, body }));
    const again = await must(200, made.ask("POST", "/v1/executions/batch", { key, headers, body }));
    expect(first.body).toMatchObject({ started: 2, repeated: 0 });
    expect(again.body).toMatchObject({ started: 0, repeated: 2 });
    expect(again.body.results[0].id).toBe(first.body.results[0].id);
    const alone = await must(200, made.ask("POST", "/v1/executions", { key, headers: { "Idempotency-Key": "mine" }, body: start() }));
    expect(alone.body.execution.id).toBe(first.body.results[1].id);
  });

  test("one cell out of reach refuses only its own", async () => {
    const made = api();
    const { key } = await shop(made);
    made.cells.failures = [Object.assign(new Error("busy"), { overloaded: true })];
    const body = { executions: [start(), start()] };
    const answer = await must(200, made.ask("POST", "/v1/executions/batch", { key, body }));
    expect(answer.body).toMatchObject({ started: 1, refused: 1 });
    expect(answer.body.results.find((result: { ok: boolean }) => !result.ok).problem).toMatchObject({
      code: "unavailable",
      retryable: true,
    });
  });

  test("a dry run previews each and starts none", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { executions: [start(), start("pooled-order")] };
    const answer = await must(200, made.ask("POST", "/v1/executions/batch?dryRun=true", { key, body }));
    expect(answer.body.results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(made.cells.calls).toEqual([]);
  });
});

async function running() {
  const made = api();
  const owner = await shop(made);
  const { body } = await must(201, made.ask("POST", "/v1/executions", { key: owner.key, body: start() }));
  const at = `/v1/executions/${body.execution.id}`;
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, at + path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  return { made, ask, at, key: owner.key };
}

describe("steering", () => {
  test("an event moves it, and twice is once", async () => {
    const { ask } = await running();
    const event = { id: "evt-1", type: "paid", payload: { amount: 42 } };
    const first = await must(200, ask("POST", "/events", event));
    expect(first.body).toMatchObject({ repeated: false, execution: { states: ["paid"], runs: { queued: 1 } } });
    const again = await must(200, ask("POST", "/events", event));
    expect(again.body).toMatchObject({ repeated: true });
  });

  test("an event's id may come from Idempotency-Key", async () => {
    const { ask } = await running();
    const headers = { "Idempotency-Key": "payment-9" };
    await must(200, ask("POST", "/events", { type: "paid" }, headers));
    expect((await must(200, ask("POST", "/events", { type: "paid" }, headers))).body.repeated).toBe(true);
    const journal = await must(200, ask("GET", "/journal"));
    const received = journal.body.data.filter((entry: { kind: string }) => entry.kind === "event_received");
    expect(received).toMatchObject([{ event: { id: "payment-9", source: "api", payload: null } }]);
  });

  test("an event that nothing ever takes is refused, and so is one that is too large", async () => {
    const { ask } = await running();
    expect((await must(422, ask("POST", "/events", { type: "nonsense" }))).body.code).toBe("event_unknown");
    const large = await must(422, ask("POST", "/events", { type: "paid", payload: "x".repeat(70_000) }));
    expect(large.body).toMatchObject({ code: "limit_exceeded", details: { field: "payload", limit: 65_536 } });
  });

  test("pause holds, resume goes on, cancel ends; each with a reason in the history", async () => {
    const { ask } = await running();
    expect((await must(200, ask("POST", "/pause", { reason: "wait" }))).body.execution.status).toBe("paused");
    expect((await must(200, ask("GET", ""))).body.waitingFor).toEqual([{ for: "resume" }]);
    expect((await must(200, ask("POST", "/resume"))).body.execution.status).toBe("waiting");
    expect((await must(409, ask("POST", "/resume"))).body.code).toBe("execution_not_paused");
    const canceled = await must(200, ask("POST", "/cancel", { reason: "enough" }));
    expect(canceled.body.execution).toMatchObject({ status: "canceled", waitingFor: [], wakeAt: null });
    expect((await must(409, ask("POST", "/pause"))).body.code).toBe("execution_final");
    const { body } = await must(200, ask("GET", "/journal"));
    expect(body.data.filter((entry: { reason?: string }) => entry.reason === "enough")[0]).toMatchObject({
      kind: "canceled",
      at: "2026-11-18T12:00:00.000Z",
      actor: { kind: "key" },
    });
  });

  test("patch changes variables, and a dry run of it does not", async () => {
    const { ask } = await running();
    const patch = { variables: { total: 7 }, reason: "recounted" };
    const dry = await must(200, ask("POST", "/patch?dryRun=true", patch));
    expect(dry.body).toMatchObject({ dryRun: true, execution: { variables: { total: 7 } } });
    expect((await must(200, ask("GET", ""))).body.variables.total).toBe(42);
    await must(200, ask("POST", "/patch", patch));
    expect((await must(200, ask("GET", ""))).body.variables.total).toBe(7);
  });

  test("run-now starts an action by its id", async () => {
    const { ask } = await running();
    const { body } = await must(200, ask("POST", "/run-now", { action: "notify" }));
    expect(body.execution.runs).toEqual({ queued: 1 });
    expect((await must(400, ask("POST", "/run-now", {}))).body.errors[0].message).toMatch(/exactly one/);
    expect((await must(400, ask("POST", "/run-now", { run: "1.1", timer: "t" }))).status).toBe(400);
  });

  test("poke wakes it, and a dry run only looks", async () => {
    const { ask, made } = await running();
    made.cells.calls.length = 0;
    await must(200, ask("POST", "/poke"));
    await must(200, ask("POST", "/poke?dryRun=true"));
    expect(made.cells.calls.map((call) => call.method)).toEqual(["poke", "read"]);
  });

  test("a verb's key remembers it, and does not serve for another verb", async () => {
    const { ask } = await running();
    const headers = { "Idempotency-Key": "k" };
    await must(200, ask("POST", "/pause", {}, headers));
    expect((await must(200, ask("POST", "/pause", {}, headers))).body.repeated).toBe(true);
    expect((await must(422, ask("POST", "/resume", {}, headers))).body.code).toBe("idempotency_conflict");
  });
});

describe("reading", () => {
  test("runs come with what the provider was given, and in pages", async () => {
    const { ask } = await running();
    await must(200, ask("POST", "/run-now", { action: "notify" }));
    await must(200, ask("POST", "/run-now", { action: "notify" }));
    const first = await must(200, ask("GET", "/runs?limit=1"));
    const second = await must(200, ask("GET", `/runs?limit=1&cursor=${first.body.nextCursor}`));
    expect(second.body.nextCursor).toBeNull();
    const [run] = first.body.data;
    expect(run.idempotencyKey).toMatch(new RegExp(`^exe_.*/${run.id}$`));
    expect(second.body.data[0].id).not.toBe(run.id);
    expect((await must(200, ask("GET", "/runs?status=ok"))).body.data).toEqual([]);
    expect((await must(400, ask("GET", "/runs?cursor=nonsense"))).body.errors[0].pointer).toBe("?cursor");
  });

  test("the journal comes in pages, oldest first, with ISO instants", async () => {
    const { ask } = await running();
    const first = await must(200, ask("GET", "/journal?limit=1"));
    expect(first.body.data).toMatchObject([{ kind: "started", n: 0, at: "2026-11-18T12:00:00.000Z" }]);
    const rest = await must(200, ask("GET", `/journal?cursor=${first.body.nextCursor}`));
    expect(rest.body.data.length).toBeGreaterThan(0);
    expect(rest.body.nextCursor).toBeNull();
  });

  test("lists come from the catalog, by filter", async () => {
    const { made, key } = await running();
    expect((await must(200, made.ask("GET", "/v1/executions?status=waiting&definition=order", { key }))).body).toEqual({
      data: [],
      nextCursor: null,
    });
  });

  test("watching asks for a WebSocket and reaches the right cell", async () => {
    const { ask, at } = await running();
    expect((await must(426, ask("GET", "/live"))).headers.get("Upgrade")).toBe("websocket");
    const opened = await ask("GET", "/live", undefined, { Upgrade: "websocket" });
    expect(JSON.parse(opened.body)).toMatchObject({ cell: expect.stringContaining("exe_"), execution: at.split("/").at(-1) });
  });

  test("a browser's key for watching may come as a protocol", async () => {
    const { made, at, key } = await running();
    const protocols = { Upgrade: "websocket", "Sec-WebSocket-Protocol": `escapement.v1, key.${key}` };
    expect((await made.ask("GET", `${at}/live`, { key: null, headers: protocols })).status).toBe(200);
    const { Upgrade: _, ...plain } = protocols;
    expect((await made.ask("GET", at, { key: null, headers: plain })).status).toBe(401);
  });
});

test("an object that is moving is asked once more; an overloaded one is not", async () => {
  const made = api();
  const { key } = await shop(made);
  made.cells.failures = [Object.assign(new Error("moved"), { retryable: true })];
  await must(201, made.ask("POST", "/v1/executions", { key, body: start() }));
  made.cells.failures = [Object.assign(new Error("busy"), { overloaded: true, retryable: true })];
  const refused = await must(503, made.ask("POST", "/v1/executions", { key, body: start() }));
  expect(refused.headers.get("Retry-After")).toBe("1");
  expect(refused.body).toMatchObject({ code: "unavailable", retryable: true });
});

test("what the object throws is our mistake: 500 without internals, logged with the request's id", async () => {
  const made = api();
  const { key } = await shop(made);
  made.cells.failures = [new Error("secret internals")];
  const refused = await must(500, made.ask("POST", "/v1/executions", { key, body: start(), headers: { "X-Request-Id": "r-1" } }));
  expect(refused.body).toMatchObject({ code: "internal_error", requestId: "r-1" });
  expect(JSON.stringify(refused.body)).not.toContain("secret");
  expect(made.world.lines).toMatchObject([{ requestId: "r-1", error: "Error: secret internals" }]);
});

