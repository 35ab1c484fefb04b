// Action tests over HTTP: which names are looked up in the catalog, and that no secret is decrypted.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PAYLOAD_BYTES_MAX } from "#schema/limits/executions.ts";
import { wouldSend } from "#services/rehearsal/would-send.ts";
import { offline } from "#test/runners/rehearsal/world.ts";
import { must, shop, type Parsed } from "#test/support/api.ts";
import { codes, made, tester, webhook } from "./action-tester.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const network = offline();
beforeEach(network.cut);
afterEach(network.check);

const CANARY = "SG.canary-canary-canary";

describe("secrets", () => {
  it("are never decrypted: their names replace their values", async () => {
    const { post, secret, test } = await tester();
    await secret("sendgrid_key", CANARY);
    await secret("crm_token", "canary-canary-canary");
    const credentials = { apiKey: "sendgrid_key" };
    await post("/v1/connections", {
      name: "mail",
      provider: "sendgrid",
      credentials,
      baseUrl: "https://mail.example.com",
    });
    const config = {
      provider: "sendgrid",
      from: "us@example.com",
      to: "ada@example.com",
      subject: "Hi",
      text: "{{secrets.crm_token}}",
    };
    const answer = await test({ action: { type: "email", config }, mocks: [{ status: 400, body: { errors: [] } }] });
    expect(answer.interactions[0]).toMatchObject({
      url: "https://mail.example.com/v3/mail/send",
      headers: { authorization: "Bearer [secret sendgrid_key]" },
      body: { content: [{ value: "[secret crm_token]" }] },
    });
    expect(JSON.stringify(answer)).not.toMatch(/canary/);
    expect(codes(answer)).toContain("connection_unnamed");
    expect(codes(answer)).not.toContain("secret_missing");
  });

  it("are not searched for in oversized mocks, which are refused", async () => {
    const { key } = await tester();
    const body = { action: webhook, mocks: [{ status: 200 }, { body: "a".repeat(PAYLOAD_BYTES_MAX) }] };
    const refused = await must(400, made.ask("POST", "/v1/actions/test", { key, body }));
    expect(JSON.stringify(refused.body.errors)).toContain("PAYLOAD_BYTES_MAX");
  });

  it("are looked up in one statement", async () => {
    const { secret, test } = await tester();
    await secret("s7", "canary-canary-canary");
    const payload = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`f${n}`, `{{ secrets.s${n} }}`]));
    const prepare = vi.spyOn(made.world.db.$client, "prepare");
    const answer = await test({ action: { ...webhook, config: { url: "https://example.com", payload } } });
    expect(prepare.mock.calls.length).toBeLessThan(50);
    const missing = answer.recommendations.find(({ code }: Parsed) => code === "secret_missing");
    expect(missing.message).toMatch(/\bs8\b/);
    expect(missing.message).not.toMatch(/\bs7\b/);
  });

  it("that are missing are reported, and so are literal credentials", async () => {
    const { test } = await tester();
    const headers = { Authorization: `Bearer ${CANARY}`, "X-Key": "{{secrets.nobody_set_it}}" };
    const answer = await test({ action: { ...webhook, config: { url: "https://example.com", headers } } });
    expect(JSON.stringify(answer)).not.toMatch(/canary/);
    const missing = answer.recommendations.find(({ code }: Parsed) => code === "secret_missing");
    expect(missing.message).toMatch(namingPattern("nobody_set_it"));
    expect(codes(answer)).toContain("secret_in_config");
  });
});

describe("lookups in the catalog", () => {
  it("a missing connection, an ambiguous one, or another tenant's", async () => {
    const { post, test } = await tester();
    const action = { type: "sms", config: { to: "+14155550123", from: "+14155550100", message: "Hi" } };
    const error = async (part = {}) =>
      (await test({ action: { ...action, config: { ...action.config, ...part } } })).result.error.code;
    expect(await error()).toBe("connection_missing");
    const credentials = { accountSid: "sid", authToken: "token" };
    for (const name of ["one", "two"]) await post("/v1/connections", { name, provider: "twilio", credentials });
    expect(await error()).toBe("connection_ambiguous");
    const named = await test({ action: { ...action, config: { ...action.config, connection: "one" } } });
    expect(named).toMatchObject({ success: true, result: { events: [{ type: "sms_sent" }] } });
    const other = await tester();
    const foreign = await other.test({ action: { ...action, config: { ...action.config, connection: "one" } } });
    expect(foreign.result.error.code).toBe("connection_missing");
  });

  it("a template, and a definition, which is not started", async () => {
    const { key } = await shop(made);
    const ask = async (action: object): Promise<Parsed> =>
      (await must(200, made.ask("POST", "/v1/actions/test", { key, body: { action } }))).body;
    const start = (definition: string) => ({
      type: "start_execution",
      config: { definition, variables: { total: 1 } },
    });
    const child = await ask(start("order"));
    expect(child.interactions).toMatchObject([
      { port: "start_execution", arguments: { definition: "order" }, answer: { ok: true } },
    ]);
    expect(codes(child)).toContain("queue_only");
    await must(404, made.ask("GET", `/v1/executions/${child.interactions[0].answer.execution}`, { key }));
    const orphan = await ask(start("nobody"));
    expect(orphan.result).toMatchObject({ status: "failed", error: { type: "not_found" } });
    expect(orphan.interactions).toMatchObject([{ answer: { ok: false }, assumed: false }]);
    expect(codes(orphan)).not.toContain("answers_assumed");
    const template = { name: "hello", subject: "Hi", text: "Hello {{ name }}", variables: [{ name: "name" }] };
    await must(201, made.ask("POST", "/v1/templates", { key, body: template }));
    const account = { name: "mail", provider: "resend", credentials: { apiKey: "k" } };
    await must(201, made.ask("POST", "/v1/connections", { key, body: account }));
    const config = {
      provider: "resend",
      from: "a@b.ch",
      to: "ada@b.ch",
      template: "hello",
      variables: { name: "Ada" },
    };
    expect((await ask({ type: "email", config })).interactions[0].body).toMatchObject({ text: "Hello Ada" });
  });
});

describe("the request of a rendered run", () => {
  it("is shown from its config, with secret names instead of values", async () => {
    const { tenant } = await tester();
    const config = { url: "https://example.com", headers: { "X-Key": { $secret: [{ name: "hook_key" }] } } };
    const frozen = { id: "3.0", execution: "exe_9", action: "notify", type: "webhook", config };
    const { interactions, error } = await wouldSend(made.world, tenant, frozen);
    expect(error).toBeNull();
    expect(interactions).toMatchObject([{ headers: { "x-key": "[secret hook_key]", "idempotency-key": "exe_9/3.0" } }]);
    const broken = await wouldSend(made.world, tenant, { ...frozen, config: { url: "https://10.0.0.1" } });
    expect(broken).toMatchObject({ interactions: [], error: { code: "egress_refused" } });
    const unknown = await wouldSend(made.world, tenant, { ...frozen, type: "telex" });
    expect(unknown.error).toMatchObject({ code: "unknown_type" });
  });
});
