// Tests of rehearsals with mocks, and of checks that apply as in a real attempt.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { caseOf, mail, oauth2, slot } from "./cases.ts";
import { offline, rehearsal, rehearsed } from "./world.ts";
import { NOW, ticketFor } from "#test/runners/world.ts";
import { naming } from "#test/support/matchers/naming.ts";

const network = offline();
beforeEach(network.cut);
afterEach(network.check);

describe("mocks", () => {
  const hook = { url: "https://example.com/hook" };

  it("answer the call, and missing parts are as usual", async () => {
    const slack = { account: { credentials: { token: "t" } }, mocks: { status: 200, delay: 120 } };
    const said = await rehearsed("slack", { channel: "#ops", text: "Hi" }, slack);
    expect(said.outcome).toMatchObject({ ok: true, startedAt: NOW, endedAt: NOW + 120 });
    expect(said.http[0]).toMatchObject({
      assumed: false,
      durationMs: 120,
      response: { status: 200, body: { ok: true } },
    });
    const refused = await rehearsed("webhook", hook, { mocks: { status: 429, headers: { "Retry-After": "7" } } });
    expect(refused.outcome).toMatchObject({ ok: false, error: { type: "rate_limit" }, retryAfterMs: 7_000 });
    expect(refused.http[0]?.response).toEqual({ status: 429, headers: { "retry-after": "7" }, body: null });
  });

  it.each([204, 205, 304])("with status %s have no body", async (status) => {
    const { http } = await rehearsed("webhook", hook, { mocks: { status, body: { x: 1 } } });
    expect(http[0]?.response?.status).toBe(status);
  });

  it("slower than the timeout time out, on the virtual clock", async () => {
    for (const mocks of [{ delay: 60_000 }, { error: "timeout" }]) {
      const { outcome, http } = await rehearsed("webhook", hook, { mocks });
      expect(outcome).toMatchObject({ ok: false, error: { type: "timeout", code: "deadline" }, endedAt: NOW + 5_000 });
      expect(http[0]).toMatchObject({ response: null, error: "timeout", durationMs: 5_000 });
    }
  });

  it("can break the connection", async () => {
    const lost = await rehearsed("webhook", hook, { mocks: { error: "network_error" } });
    expect(lost.outcome).toMatchObject({
      error: { type: "network_error", message: expect.stringMatching(/^POST [^]*\S$/) },
    });
    const named = await rehearsed("webhook", hook, { mocks: { error: "ECONNRESET" } });
    expect(named.outcome).toMatchObject({
      error: { type: "network_error", message: expect.stringMatching(/ECONNRESET/) },
    });
  });

  it("single mocks apply to the call itself, lists to all requests in order", async () => {
    const { config, set } = caseOf("api_call", "a token of its own");
    const single = await rehearsed("api_call", config, { ...set, mocks: { status: 503 } });
    expect(single.http.map(({ assumed, response }) => [assumed, response?.status])).toEqual([
      [true, 200],
      [false, 503],
    ]);
    const list = await rehearsed("api_call", config, { ...set, mocks: [{ status: 503 }] });
    expect(list.http.map(({ response }) => response?.status)).toEqual([503]);
    const later = await rehearsed("api_call", config, { ...set, mocks: [null, { status: 418 }] });
    expect(later.http.map(({ assumed, response }) => [assumed, response?.status])).toEqual([
      [true, 200],
      [false, 418],
    ]);
  });

  it("apply to ports, too", async () => {
    const rows = await rehearsed("database", { database: "crm", sql: "SELECT 1" }, { mocks: { body: [{ id: 7 }] } });
    expect(rows.outcome).toMatchObject({ ok: true, result: { rowCount: 1, rows: [{ id: 7 }] } });
    const locked = await rehearsed(
      "database",
      { database: "crm", sql: "SELECT 1" },
      { mocks: { error: "network_error" } },
    );
    expect(locked.outcome).toMatchObject({ ok: false });
    const limited = await rehearsed(
      "email",
      { provider: "cloudflare", ...mail },
      { mocks: { error: "E_RATE_LIMIT_EXCEEDED" } },
    );
    expect(limited.outcome).toMatchObject({ error: { type: "rate_limit" } });
    const call = { service: "shop", method: "reserve", input: { sku: "book" } };
    const reserved = await rehearsed("worker", call, { mocks: { body: { ok: true } } });
    expect(reserved.outcome).toMatchObject({ ok: true, result: { ok: true } });
    const lost = await rehearsed("worker", call, { mocks: { error: "network_error" } });
    expect(lost.outcome).toMatchObject({ ok: false, error: { type: "network_error", effect: "unknown" } });
    const task = await rehearsed("task", { title: "Approve" }, { mocks: { status: 503 } });
    expect(task.outcome).toMatchObject({ error: { type: "service_unavailable", message: naming(503) } });
    const hanging = { task: { title: "Approve" }, database: { database: "crm", sql: "SELECT 1" }, worker: call };
    for (const [type, config] of Object.entries(hanging)) {
      const hung = await rehearsed(type, config, { mocks: { error: "timeout" } });
      expect(hung.outcome).toMatchObject({ error: { type: "timeout" } });
    }
  });
});

describe("like a real attempt", () => {
  it("refuses private addresses before any request", async () => {
    const { outcome, interactions } = await rehearsed("webhook", { url: "https://169.254.169.254/latest" });
    expect(outcome).toMatchObject({ error: { code: "egress_refused" } });
    expect(interactions).toEqual([]);
  });

  it("reports a missing connection, binding, database, date or type", async () => {
    const error = {
      type: "invalid_configuration",
      message: "there is none",
      retryable: false,
      code: "connection_missing",
    };
    const lookups = { account: async () => ({ ok: false as const, failure: { error } }) };
    const config = { provider: "sendgrid", ...mail };
    expect((await rehearsed("email", config, { lookups })).outcome).toMatchObject({
      error: { code: "connection_missing" },
    });
    const bare = { installed: { email: false, databases: [], services: [] } };
    const unbound = await rehearsed("email", { provider: "cloudflare", ...mail }, bare);
    expect(unbound.outcome).toMatchObject({ error: { code: "email_not_bound" } });
    const closed = await rehearsed("database", { database: "crm", sql: "SELECT 1" }, bare);
    expect(closed.outcome).toMatchObject({ error: { code: "database_not_open" } });
    const unlisted = await rehearsed("worker", { service: "shop", method: "reserve" }, bare);
    expect(unlisted.outcome).toMatchObject({ error: { code: "service_not_open" } });
    const task = await rehearsed("task", { title: "Approve", dueDate: "P9999Y" });
    expect(task.outcome).toMatchObject({ error: { type: "invalid_configuration" } });
    expect((await rehearsed("telex", {})).outcome).toMatchObject({ error: { code: "unknown_type" } });
  });

  it("replaces a secret that is a whole URL by an unreachable one", async () => {
    const { http } = await rehearsed("webhook", { url: slot({ name: "hook_url" }) });
    expect(http[0]?.url).toBe("https://stand-in.example/hook_url");
  });

  it("renews a refused token once, and a fixed token never", async () => {
    const config = { service: "crm", endpoint: "/deals", method: "GET" };
    const account = { baseUrl: "https://crm.example.com", auth: oauth2() };
    const renewed = await rehearsed("api_call", config, { account, mocks: [{ status: 401 }, { status: 200 }] });
    expect(renewed.http).toHaveLength(2);
    expect(renewed.http[0]?.headers["authorization"]).toMatch(/^Bearer \[[^\]]*\bcrm\]$/);
    const slack = { credentials: {}, auth: { type: "bearer" } as const };
    const said = await rehearsed("slack", { channel: "#a", text: "x" }, { account: slack, mocks: { status: 401 } });
    expect(said.outcome).toMatchObject({ error: { code: "token_refused" } });
    const none = await rehearsed("slack", { channel: "#a", text: "x" }, { account: { credentials: {} } });
    expect(none.outcome).toMatchObject({ error: { code: "auth_mismatch" } });
  });

  it("keeps a token for later attempts of the same rehearsal only", async () => {
    const { config, set } = caseOf("api_call", "a token of its own");
    const perform = rehearsal(set);
    const ticket = ticketFor("api_call", config, { deadlineAt: NOW + 5_000 });
    expect((await perform(ticket, null, NOW)).interactions).toHaveLength(2);
    const second = await perform({ ...ticket, attempt: 2, deadlineAt: NOW + 9_000 }, null, NOW + 4_000);
    expect(second.interactions).toMatchObject([{ attempt: 2, atMs: 4_000, method: "GET" }]);
    expect((await rehearsed("api_call", config, set)).http).toHaveLength(2);
  });

  it("returns later for the receipt of a transaction that is not mined", async () => {
    const { config, set } = caseOf("contract_call", "a chain that mines at once");
    const perform = rehearsal(set);
    const ticket = ticketFor("contract_call", config, { deadlineAt: NOW + 30_000, timeoutMs: 30_000 });
    const open = { status: 200, body: { jsonrpc: "2.0", id: 1, result: null } };
    const first = await perform(ticket, [null, null, null, null, null, open, null], NOW);
    expect(first.outcome).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
    const again = await perform(
      { ...ticket, deadlineAt: NOW + 60_000 },
      [null, null, null, null, open, null],
      NOW + 2_000,
    );
    expect(again.outcome).toMatchObject({ ok: true });
  });
});
