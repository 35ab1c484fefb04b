// Control verbs, reads and streams of executions over HTTP.
import { describe, expect, test } from "vitest";
import { api, must, shop } from "#test/support/api.ts";
import { naming } from "#test/support/matchers/naming.ts";

async function running() {
  const made = api();
  const owner = await shop(made);
  const { body } = await must(
    201,
    made.ask("POST", "/v1/executions", { key: owner.key, body: { definition: "order", variables: { total: 42 } } }),
  );
  const at = `/v1/executions/${body.execution.id}`;
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, at + path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  return { made, ask, at, key: owner.key };
}

describe("commands", () => {
  test("an event causes a transition; a repeat changes nothing", async () => {
    const { ask } = await running();
    const event = { id: "evt-1", type: "paid", payload: { amount: 42 } };
    const first = await must(200, ask("POST", "/events", event));
    expect(first.body).toMatchObject({ repeated: false, execution: { states: ["paid"], runs: { queued: 1 } } });
    const again = await must(200, ask("POST", "/events", event));
    expect(again.body).toMatchObject({ repeated: true });
  });

  test("a verb needs no body, whatever headers the client sends", async () => {
    const { made, ask, at, key } = await running();
    await must(200, ask("POST", "/pause"));
    const headers = { "Content-Length": "0" };
    await must(200, made.ask("POST", `${at}/resume`, { key, raw: new Uint8Array(0), headers }));
    await must(200, ask("POST", "/pause", undefined, { "Content-Type": "application/json" }));
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

  test.each<[pointer: string, event: { type: string; id?: string; payload?: object }, sent: Record<string, string>]>([
    ["/type", { type: "child_completed" }, {}],
    ["/type", { type: "task_completed", payload: { result: { approved: true } } }, {}],
    ["/id", { type: "paid", id: "child/exe_2" }, {}],
    ["/id", { type: "paid", id: "task/3.0" }, {}],
    ["/id", { type: "paid", id: "docusign/1/envelope-completed" }, {}],
    ["/id", { type: "paid", id: "run:exe_2/3.0" }, {}],
    ["Idempotency-Key", { type: "paid" }, { "Idempotency-Key": "task/3.0" }],
    ["Idempotency-Key", { type: "paid" }, { "Idempotency-Key": "run:exe_2/3.0" }],
  ])(
    "what only the engine tells, and the ids it tells it under, are refused at %s (%j)",
    async (pointer, event, sent) => {
      const { ask } = await running();
      const headers: Record<string, string> = { ...sent };
      const { body } = await must(400, ask("POST", "/events", event, headers));
      const [prefix = ""] = /^[a-z]+[_/:]/.exec(headers["Idempotency-Key"] ?? event.id ?? event.type) ?? [];
      expect(body).toMatchObject({ code: "invalid_input", errors: [{ pointer, message: naming(prefix) }] });
      expect((await must(200, ask("POST", "/events", { type: "paid" }))).body.repeated).toBe(false);
    },
  );

  test("an event that no state accepts is refused, and so is one that is too large", async () => {
    const { ask } = await running();
    expect((await must(422, ask("POST", "/events", { type: "nonsense" }))).body.code).toBe("event_unknown");
    const large = await must(422, ask("POST", "/events", { type: "paid", payload: "x".repeat(70_000) }));
    expect(large.body).toMatchObject({ code: "limit_exceeded", details: { field: "payload", limit: 65_536 } });
  });

  test("pause holds, resume continues, cancel ends; each with its reason in the journal", async () => {
    const { ask } = await running();
    expect((await must(200, ask("POST", "/pause", { reason: "wait" }))).body.execution.status).toBe("paused");
    expect((await must(200, ask("GET", ""))).body.waitingFor).toEqual([{ for: "resume" }]);
    expect((await must(200, ask("POST", "/resume"))).body.execution.status).toBe("waiting");
    expect((await must(409, ask("POST", "/resume"))).body.code).toBe("execution_not_paused");
    const canceled = await must(200, ask("POST", "/cancel", { reason: "enough" }));
    expect(canceled.body.execution).toMatchObject({ status: "canceled", waitingFor: [], wakeAt: null });
    expect((await must(409, ask("POST", "/pause"))).body.code).toBe("execution_final");
    const { body } = await must(200, ask("GET", "/journal"));
    expect(body.data.find((entry: { reason?: string }) => entry.reason === "enough")).toMatchObject({
      kind: "canceled",
      at: "2026-11-18T12:00:00.000Z",
      actor: { kind: "key" },
    });
  });

  test("patch changes variables; a dry run does not", async () => {
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
    expect((await must(400, ask("POST", "/run-now", {}))).body.errors).toMatchObject([
      { pointer: "", code: "custom", message: naming("run", "action", "timer") },
    ]);
    expect((await must(400, ask("POST", "/run-now", { run: "1.1", timer: "t" }))).status).toBe(400);
  });

  test("poke runs due work; a dry run only reads", async () => {
    const { ask, made } = await running();
    made.cells.calls.length = 0;
    await must(200, ask("POST", "/poke"));
    await must(200, ask("POST", "/poke?dryRun=true"));
    expect(made.cells.calls.map((call) => call.method)).toEqual(["poke", "read"]);
  });

  test("a repeat with the same key returns the first response; another verb with that key is refused", async () => {
    const { ask } = await running();
    const headers = { "Idempotency-Key": "k" };
    await must(200, ask("POST", "/pause", {}, headers));
    expect((await must(200, ask("POST", "/pause", {}, headers))).body.repeated).toBe(true);
    expect((await must(422, ask("POST", "/resume", {}, headers))).body.code).toBe("idempotency_conflict");
  });
});

describe("reading", () => {
  test("lists the events accepted now", async () => {
    const { ask } = await running();
    const { body } = await must(200, ask("GET", ""));
    expect(body.retired).toBe(false);
    expect(body.waitingFor).toContainEqual({ for: "event", types: ["paid"] });
  });

  test("lists the same accepted events as a verb's response", async () => {
    const { ask } = await running();
    for (const verb of ["/patch?dryRun=true", "/patch"]) {
      const { body } = await must(200, ask("POST", verb, { variables: { total: 1 } }));
      expect(body.execution.waitingFor).toEqual((await must(200, ask("GET", ""))).body.waitingFor);
    }
    const { body } = await must(200, ask("POST", "/events", { type: "paid" }));
    expect(body.execution.waitingFor).toEqual((await must(200, ask("GET", ""))).body.waitingFor);
  });

  test("runs have idempotency keys, and are paginated", async () => {
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

  test("the journal is paginated, oldest first, with ISO instants", async () => {
    const { ask } = await running();
    const first = await must(200, ask("GET", "/journal?limit=1"));
    expect(first.body.data).toMatchObject([{ kind: "started", n: 0, at: "2026-11-18T12:00:00.000Z" }]);
    const rest = await must(200, ask("GET", `/journal?cursor=${first.body.nextCursor}`));
    expect(rest.body.data.length).toBeGreaterThan(0);
    expect(rest.body.nextCursor).toBeNull();
  });

  test("lists are read from the catalog and filtered", async () => {
    const { made, key } = await running();
    expect((await must(200, made.ask("GET", "/v1/executions?status=waiting&definition=order", { key }))).body).toEqual({
      data: [],
      nextCursor: null,
      stoppedEarly: false,
    });
  });

  test("watching requires a WebSocket upgrade and reaches the right cell", async () => {
    const { ask, at, made, key } = await running();
    expect((await must(426, ask("GET", "/live"))).headers.get("Upgrade")).toBe("websocket");
    const response = await made.fetch(`https://api.test${at}/live`, {
      headers: { Upgrade: "websocket", Authorization: `Bearer ${key}`, "Sec-WebSocket-Protocol": "escapement.v1" },
    });
    expect(response.status).toBe(101);
    expect(response.headers.get("Sec-WebSocket-Protocol")).toBe("escapement.v1");
    const { webSocket } = response;
    const heard = new Promise((resolve) => webSocket?.addEventListener("message", (event) => resolve(event.data)));
    webSocket?.accept();
    expect(await heard).toMatch(/^watching exe_\w+ in tenant-[\w-]+\/exe_/);
  });

  test("a watch that the object refuses is a problem document", async () => {
    const made = api({ live: async () => new Response("too many listeners", { status: 503 }) });
    const { key } = await shop(made);
    const headers = { Upgrade: "websocket" };
    const refused = await must(503, made.ask("GET", "/v1/executions/exe_1/live", { key, headers }));
    expect(refused.body).toMatchObject({ code: "unavailable", retryable: true });
  });

  test("a browser may send its key as a WebSocket protocol", async () => {
    const { made, at, key } = await running();
    const protocols = { Upgrade: "websocket", "Sec-WebSocket-Protocol": `escapement.v1, key.${key}` };
    expect((await made.ask("GET", `${at}/live`, { key: null, headers: protocols })).status).toBe(101);
    const { Upgrade: _, ...plain } = protocols;
    expect((await made.ask("GET", at, { key: null, headers: plain })).status).toBe(401);
  });
});
