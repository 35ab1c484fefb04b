// Starts over HTTP, and starts while the catalog or an object does not answer.
import { describe, expect, onTestFinished, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { api, must, shop } from "#test/support/api.ts";
import { brokenBinding, executionRow, NOW, projection } from "#test/support/catalog.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

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
      { for: "event", types: ["paid"] },
    ]);
    expect(headers.get("X-Request-Id")).toMatch(/^req_/);
  });

  test("calls one object once, and no catalog once key and definition are cached", async () => {
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
    expect(asked.length).toBe(1); // an unknown reference is looked up, so the counter works
  });

  test("a repeat returns the same execution; another body is refused", async () => {
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

  test("accepts the caller's own id once", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { ...start(), id: "exe_order-17" };
    const first = await must(201, made.ask("POST", "/v1/executions", { key, body }));
    expect(first.body.execution.id).toBe("exe_order-17");
    const second = await must(409, made.ask("POST", "/v1/executions", { key, body }));
    expect(second.body.code).toBe("already_exists");
  });

  test("refuses an own id for a pooled definition, with a hint", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { ...start("pooled-order"), id: "exe_order-17" };
    const refused = await must(400, made.ask("POST", "/v1/executions", { key, body }));
    expect(refused.body).toMatchObject({
      errors: [{ pointer: "/id" }],
      hint: expect.stringContaining("Idempotency-Key"),
    });
  });

  test("a dry run returns the result and creates no object", async () => {
    const made = api();
    const { key } = await shop(made);
    const { body } = await must(200, made.ask("POST", "/v1/executions?dryRun=true", { key, body: start() }));
    expect(body).toMatchObject({ dryRun: true, execution: { states: ["open"] } });
    expect(body.execution.waitingFor).toContainEqual({ for: "event", types: ["paid"] });
    expect(body.entries.map((entry: { kind: string }) => entry.kind)).toContain("timer_armed");
    expect(made.cells.calls).toEqual([]);
  });

  test("refuses unknown and archived definitions, and variables that are too large", async () => {
    const made = api();
    const { key } = await shop(made);
    const unknown = await must(404, made.ask("POST", "/v1/executions", { key, body: { definition: "ordre" } }));
    const hint = naming('"order"');
    expect(unknown.body).toMatchObject({ hint, errors: [{ pointer: "/definition", hint }] });
    const hintFor = async (definition: string) =>
      (await must(404, made.ask("POST", "/v1/executions", { key, body: { definition } }))).body.hint;
    expect(await hintFor("order@7")).toMatch(namingPattern('"order"', 1));
    expect(await hintFor("invoice")).toMatch(namingPattern("GET /v1/definitions"));
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

  test("a repeat starts nothing", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { executions: [start(), { ...start(), idempotencyKey: "mine" }] };
    const headers = { "Idempotency-Key": "batch-1" };
    const first = await must(200, made.ask("POST", "/v1/executions/batch", { key, headers, body }));
    const again = await must(200, made.ask("POST", "/v1/executions/batch", { key, headers, body }));
    expect(first.body).toMatchObject({ started: 2, repeated: 0 });
    expect(again.body).toMatchObject({ started: 0, repeated: 2 });
    expect(again.body.results[0].id).toBe(first.body.results[0].id);
    const alone = await must(
      200,
      made.ask("POST", "/v1/executions", { key, headers: { "Idempotency-Key": "mine" }, body: start() }),
    );
    expect(alone.body.execution.id).toBe(first.body.results[1].id);
  });

  test("an unreachable cell refuses only its own items", async () => {
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

  test("an error in one cell is an internal error for its items only; the others start", async () => {
    const made = api();
    const { key } = await shop(made);
    made.cells.failures = [new Error("secret internals")];
    const body = { executions: [start(), start()] };
    const answer = await must(200, made.ask("POST", "/v1/executions/batch", { key, body }));
    expect(answer.body).toMatchObject({ started: 1, refused: 1 });
    const { problem } = answer.body.results.find((result: { ok: boolean }) => !result.ok);
    expect(problem).toMatchObject({ code: "internal_error", status: 500, hint: expect.any(String) });
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    expect(made.world.lines).toMatchObject([{ event: "item_failed", count: 1, message: "Error: secret internals" }]);
  });

  test("an item whose definition cannot be read is refused; items with cached definitions start", async () => {
    const made = api();
    const { key } = await shop(made);
    await must(201, made.ask("POST", "/v1/executions", { key, body: start() }));
    const { $client } = made.world.db;
    const { prepare } = $client;
    onTestFinished(() => void ($client.prepare = prepare));
    $client.prepare = () => {
      throw new Error("D1_ERROR: Network connection lost.");
    };
    const body = { executions: [start(), start("order@1")] };
    const answer = await must(200, made.ask("POST", "/v1/executions/batch", { key, body }));
    expect(answer.body).toMatchObject({ started: 1, refused: 1 });
    expect(answer.body.results[1]).toMatchObject({ ok: false, problem: { code: "unavailable", retryable: true } });
  });

  test("a dry run previews each item and starts none", async () => {
    const made = api();
    const { key } = await shop(made);
    const body = { executions: [start(), start("pooled-order")] };
    const answer = await must(200, made.ask("POST", "/v1/executions/batch?dryRun=true", { key, body }));
    expect(answer.body.results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(made.cells.calls).toEqual([]);
  });
});

test("an execution without object is read from the catalog; an unknown one is 404", async () => {
  const made = api();
  const { key, tenant } = await shop(made);
  const id = timeOrderedId("exe", NOW, crypto.getRandomValues(new Uint8Array(10)));
  const finishedAt = NOW + 5;
  const rows = [executionRow({ tenant, id, status: "failed", error: "gave up", finishedAt })];
  await applyProjections(made.world.db, [projection({ executions: rows })]);
  const { body } = await must(200, made.ask("GET", `/v1/executions/${id}`, { key }));
  expect(body).toMatchObject({ id, retired: true, status: "failed", error: { message: "gave up" }, variables: {} });
  const listed = await must(200, made.ask("GET", "/v1/executions?status=failed", { key }));
  expect(listed.body.data).toMatchObject([{ id, error: body.error }]);
  await must(404, made.ask("GET", "/v1/executions/exe_never", { key }));
});

test("while the catalog is down, requests that need it are 503, and executions continue", async () => {
  const made = api();
  const { key } = await shop(made);
  const { body } = await must(201, made.ask("POST", "/v1/executions", { key, body: start() }));
  const { $client } = made.world.db;
  const prepare = $client.prepare;
  onTestFinished(() => void ($client.prepare = prepare));
  $client.prepare = brokenBinding.prepare;
  const lists = await must(503, made.ask("GET", "/v1/executions", { key }));
  expect(lists.body).toMatchObject({ code: "unavailable", retryable: true });
  await must(201, made.ask("POST", "/v1/executions", { key, body: start() }));
  await must(200, made.ask("POST", `/v1/executions/${body.execution.id}/events`, { key, body: { type: "paid" } }));
  await must(200, made.ask("GET", `/v1/executions/${body.execution.id}`, { key }));
});

test("a read of an ended execution calls its object, and neither the catalog nor its definition", async () => {
  const made = api();
  const { key } = await shop(made);
  const { body } = await must(201, made.ask("POST", "/v1/executions", { key, body: start("order@1") }));
  const path = `/v1/executions/${body.execution.id}`;
  await must(200, made.ask("POST", `${path}/cancel`, { key, body: {} }));
  const { $client } = made.world.db;
  const prepare = $client.prepare;
  onTestFinished(() => void ($client.prepare = prepare));
  $client.prepare = brokenBinding.prepare;
  const read = await must(200, made.ask("GET", path, { key }));
  expect(read.body).toMatchObject({ status: "canceled", waitingFor: [] });
  expect(made.world.lines).toEqual([]);
});

test("a moving object is called once more; an overloaded one is not", async () => {
  const made = api();
  const { key } = await shop(made);
  made.cells.failures = [Object.assign(new Error("moved"), { retryable: true })];
  await must(201, made.ask("POST", "/v1/executions", { key, body: start() }));
  made.cells.failures = [Object.assign(new Error("busy"), { overloaded: true, retryable: true })];
  const refused = await must(503, made.ask("POST", "/v1/executions", { key, body: start() }));
  expect(refused.headers.get("Retry-After")).toBe("1");
  expect(refused.body).toMatchObject({ code: "unavailable", retryable: true });
});

test("an object that the platform cannot open is 503 `unavailable`", async () => {
  const made = api();
  const { key } = await shop(made);
  const broken = () => new Error("internal error; reference = 3smvcq4o2vohqb1r183fn1hi");
  const headers = { "Idempotency-Key": "burst-1" };
  made.cells.failures = [broken(), broken()];
  const refused = await must(503, made.ask("POST", "/v1/executions", { key, headers, body: start() }));
  expect(refused.body).toMatchObject({ code: "unavailable", retryable: true, details: { why: "broken_off" } });
  expect(refused.headers.get("Retry-After")).toBe("1");
  await must(201, made.ask("POST", "/v1/executions", { key, headers, body: start() }));
});

test("a platform failure outside a cell is 503, logged with the request id", async () => {
  const signer = () => {
    throw Object.assign(new Error("Network connection lost."), { retryable: true });
  };
  const made = api({ signer });
  const { key } = await shop(made);
  const path = "/v1/signers/8453/0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  const refused = await must(503, made.ask("GET", path, { key }));
  expect(refused.body).toMatchObject({ code: "unavailable", retryable: true });
  expect(made.world.lines).toMatchObject([
    { requestId: refused.body.requestId, error: "Error: Network connection lost." },
  ]);
});

test("an error thrown by the object is 500 without internals, logged with the request id", async () => {
  const made = api();
  const { key } = await shop(made);
  made.cells.failures = [new Error("secret internals")];
  const refused = await must(
    500,
    made.ask("POST", "/v1/executions", { key, body: start(), headers: { "X-Request-Id": "r-1" } }),
  );
  expect(refused.body).toMatchObject({ code: "internal_error", requestId: "r-1" });
  expect(JSON.stringify(refused.body)).not.toContain("secret");
  expect(made.world.lines).toMatchObject([{ requestId: "r-1", error: "Error: secret internals" }]);
});
