// Explanations of executions over HTTP.
import { describe, expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Gate, GateView } from "#schema/gate.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { api, must, shop } from "#test/support/api.ts";
import { absentGate, executionRow, NOW, projection } from "#test/support/catalog.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const open: GateView = {
  breaker: { status: "open", until: NOW + 30_000, calls: 0, failed: 0 },
  inUse: 0,
  nextAt: NOW,
  token: null,
  attention: null,
};
const start = { definition: "order", variables: { total: 42 }, correlationId: "o-17" };

async function started(over: Parameters<typeof api>[0] = {}) {
  const made = api(over);
  const owner = await shop(made);
  const { body } = await must(201, made.ask("POST", "/v1/executions", { key: owner.key, body: start }));
  const id: string = body.execution.id;
  const explain = (key = owner.key) => made.ask("GET", `/v1/executions/${id}/explain`, { key });
  return { ...made, ...owner, id, explain };
}

describe("explaining", () => {
  test("returns next steps and waits, each with a sentence", async () => {
    const { explain, id } = await started();
    const { body } = await must(200, explain());
    expect(body).toMatchObject({
      execution: id,
      definition: { name: "order", version: 1 },
      status: "waiting",
      states: ["open"],
      asOf: "2026-11-18T12:00:00.000Z",
      retired: false,
      ended: null,
      next: { kind: "timer_fired", by: "time", at: "2026-11-19T12:00:00.000Z" },
      leftOut: { waits: 0, notNow: 0, notDone: 0 },
    });
    expect(body.waits.map(({ for: what }: { for: string }) => what)).toEqual(["timer", "event"]);
    expect(body.says).toMatch(namingPattern("waiting", "open"));
  });

  test("calls one object once, and writes nothing", async () => {
    const { explain, cells, world } = await started();
    await must(200, explain());
    cells.calls.length = 0;
    const asked: string[] = [];
    const { $client } = world.db;
    const prepare = $client.prepare.bind($client);
    $client.prepare = (sql: string) => (asked.push(sql), prepare(sql));
    await must(200, explain());
    expect(cells.calls).toMatchObject([{ method: "explain", items: 1 }]);
    expect(asked).toEqual([]);
  });

  test("includes the state of the connection that holds a run, or omits it if it does not answer", async () => {
    const breaker = { status: "open", until: NOW + 30_000, calls: 0, failed: 0 } as const;
    const view = { breaker, inUse: 3, nextAt: NOW, token: null, attention: null };
    const gate: Gate = { ...absentGate, read: async () => view };
    let isThere = true;
    const made = await started({ gate: () => (isThere ? gate : absentGate) });
    const { id, tenant, key, ask, cells, explain } = made;
    const connection = { name: "mail", provider: "http", breaker: { openMs: 30_000 }, credentials: {} };
    await must(201, ask("POST", "/v1/connections", { key, body: connection }));
    await must(
      200,
      ask("POST", `/v1/executions/${id}/events`, { key, body: { type: "paid", payload: { amount: 42 } } }),
    );
    const cell = cellName(tenant, id);
    const [run] = cells.take(cell, id, { kind: "tick" }).runs;
    const attempt = { run: run?.id ?? "", attempt: 1 };
    cells.take(cell, id, { kind: "claim", ...attempt, lane: "queue" });
    const error = { type: "rate_limit", message: "not tried", retryable: true };
    const held = { reason: "circuit_open", until: NOW + 60_000, connection: "mail" } as const;
    const outcome = { ok: false, error, held, startedAt: NOW, endedAt: NOW } as const;
    cells.take(cell, id, { kind: "settle", ...attempt, outcome });
    const [wait] = (await must(200, explain())).body.waits;
    expect(wait).toMatchObject({
      for: "connection",
      connection: "mail",
      reason: "circuit_open",
      until: "2026-11-18T12:01:00.000Z",
      gate: { breaker: { status: "open", until: "2026-11-18T12:00:30.000Z" }, inUse: 3, attention: null },
    });
    isThere = false;
    expect((await must(200, explain())).body.waits[0]).toMatchObject({ for: "connection", gate: null });
  });

  test("names the run's connection and its rate, if known before the attempt", async () => {
    const made = await started({ gate: () => ({ ...absentGate, read: async () => open }) });
    const { ask, key } = made;
    const later = (actionId: string, type: string, config: object) => {
      return { actionId, type, config, triggerState: "open", delay: "PT1H" };
    };
    const mail = { to: "ada@example.com", from: "us@example.com", subject: "hello", text: "hello" };
    const actions = [
      later("named", "email", { ...mail, provider: "sendgrid", connection: "mails" }),
      later("unnamed", "email", { ...mail, provider: "mailgun" }),
      later("worked", "email", { ...mail, provider: "sendgrid", connection: "{{ execution.variables.service }}" }),
      later("unknown", "email", { ...mail, provider: "sendgrid", connection: "nobody" }),
      later("other", "email", { ...mail, provider: "sendgrid", connection: "texts" }),
      later("free", "email", { ...mail, provider: "sendgrid", connection: "free" }),
    ];
    const body = { kind: "machine", name: "calls", initial: "open", states: { open: {} }, actions };
    await must(201, ask("POST", "/v1/definitions", { key, body }));
    const rateLimit = { perSecond: 5, burst: 1 };
    const texts = { provider: "mailgun", concurrency: 2, credentials: {} };
    for (const each of [
      { name: "mails", provider: "sendgrid", rateLimit, credentials: {} },
      { name: "free", provider: "sendgrid", credentials: {} },
      { name: "texts", ...texts },
    ]) {
      await must(201, ask("POST", "/v1/connections", { key, body: each }));
    }
    const asked = { definition: "calls", variables: { service: "mails" } };
    const { body: begun } = await must(201, ask("POST", "/v1/executions", { key, body: asked }));
    const met = async () => {
      const { body: told } = await must(200, ask("GET", `/v1/executions/${begun.execution.id}/explain`, { key }));
      type Told = { readonly action: string; readonly meets: readonly object[]; readonly says: string };
      return Object.fromEntries(told.waits.map(({ action, ...of }: Told) => [action, of]));
    };
    const found = await met();
    expect(found["named"].meets).toMatchObject([
      { limit: "connection", connection: "mails", rateLimit, gate: { breaker: { status: "open" } } },
    ]);
    expect(found["named"].says).toMatch(namingPattern("mails", 5));
    expect(found["unnamed"].meets).toMatchObject([{ limit: "connection", connection: "texts", concurrency: 2 }]);
    for (const none of ["worked", "unknown", "other", "free"]) expect(found[none].meets).toEqual([]);
    expect(JSON.stringify(found)).not.toContain("account");
    // Two connections match, so the run will fail with an ambiguous connection.
    await must(201, ask("POST", "/v1/connections", { key, body: { ...texts, name: "others" } }));
    expect((await met())["unnamed"].meets).toEqual([]);
  });

  test("reports a tenant's suspension", async () => {
    const { explain, ask, tenant } = await started();
    await must(200, ask("POST", `/v1/tenants/${tenant}/suspend`, { body: { reason: "unpaid" } }));
    expect((await must(200, explain())).body.waits[0]).toMatchObject({ for: "tenant" });
  });

  test("of a missing, another tenant's or erased execution is 404", async () => {
    const made = await started();
    const { ask, key, explain, id } = made;
    await must(404, ask("GET", "/v1/executions/exe_none/explain", { key }));
    const other = await shop(made);
    await must(404, explain(other.key));
    await must(200, ask("POST", `/v1/executions/${id}/cancel`, { key, body: {} }));
    await must(200, ask("DELETE", `/v1/executions/${id}`, { key }));
    await must(404, explain());
  });

  test("of an execution with deleted history has its final status", async () => {
    const { ask, key, tenant, world } = await started();
    const id = timeOrderedId("exe", NOW, new Uint8Array(10));
    const row = executionRow({ tenant, id, status: "failed", finishedAt: NOW, error: "no answer" });
    await applyProjections(world.db, [projection({ executions: [row] })]);
    const { body } = await must(200, ask("GET", `/v1/executions/${id}/explain`, { key }));
    expect(body).toMatchObject({
      retired: true,
      status: "failed",
      waits: [],
      ended: { error: { message: "no answer" } },
    });
  });
});

describe("the cap of a run that is due later", () => {
  const HOUR = 3_600_000;
  const gentle = { max: 1, per: "PT1H" };
  const mail = { type: "webhook", config: { url: "https://example.com" }, delay: "P1D" };

  test.each([
    ["a machine's", { name: "reminding" }],
    ["a standalone action's", null],
  ])("shows when %s slot will be free", async (_place, machine) => {
    const made = api({ actionTypes, configFindings });
    const { tenant, key } = await shop(made);
    const post = async (path: string, body: object) => (await must(201, made.ask("POST", path, { key, body }))).body;
    const begin = async (): Promise<string> => {
      const cap = { ...gentle, subject: "ada" };
      if (machine === null) return (await post("/v1/actions", { ...mail, cap: { ...cap, name: "gentle" } })).action.id;
      const actions = [{ ...mail, actionId: "mail", triggerState: "a", cap: "gentle" }];
      const states = { a: { on: { "action.mail.ok": "b" } }, b: { type: "final" } };
      await post("/v1/definitions", {
        kind: "machine",
        ...machine,
        initial: "a",
        states,
        caps: { gentle: cap },
        actions,
      });
      return (await post("/v1/executions", { definition: machine.name })).execution.id;
    };
    const id = await begin();
    const capOf = async () => {
      const { body } = await must(200, made.ask("GET", `/v1/executions/${id}/explain`, { key }));
      const wait = body.waits.find((each: { for: string }) => each.for === "run");
      return wait.meets[0];
    };
    const cap = { limit: "cap", cap: "gentle", subject: "ada", max: 1, per: "PT1H", over: "wait" };
    expect(await capOf()).toEqual({ ...cap, opensAt: null });
    const window = { kind: "rolling", ms: HOUR } as const;
    await made.world.subject(`${tenant}/ada`).takeSlot({ cap: "gentle", max: 1, window, key: "exe_other/1.0" });
    expect(await capOf()).toEqual({ ...cap, opensAt: new Date(NOW + HOUR).toISOString() });
  });
});
