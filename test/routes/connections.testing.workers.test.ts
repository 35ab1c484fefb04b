// Connection tests over HTTP: the provider's call, the response, and no secret in a response.
import { describe, expect, test } from "vitest";
import type { Deps } from "#services/deps.ts";
import type { OutboundAnswer, OutboundCall } from "#schema/provider/outbound.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";

const sendgrid = { name: "mail", provider: "sendgrid", credentials: { apiKey: "sendgrid_key" } };

describe("testing a connection", () => {
  const SECRET = "SG.a-very-secret-key";
  async function tried(connection: object, answer: Partial<OutboundAnswer>, secrets: Record<string, string>) {
    const calls: OutboundCall[] = [];
    const callOut: Deps["callOut"] = async (call) => {
      calls.push(call);
      return { ok: true, status: 200, data: null, ...answer } as OutboundAnswer;
    };
    const { ask, ...made } = api({ callOut });
    const { key } = await tenantWithKey({ ask, ...made });
    for (const [name, value] of Object.entries(secrets)) {
      await must(200, ask("PUT", `/v1/secrets/${name}`, { key, body: { value } }));
    }
    const { name } = (await must(201, ask("POST", "/v1/connections", { key, body: connection }))).body;
    const result = await must(200, ask("POST", `/v1/connections/${name}/test`, { key }));
    expect(JSON.stringify(result.body)).not.toContain(SECRET);
    return { body: result.body, calls };
  }

  test("makes the provider's cheapest authenticated call", async () => {
    const { body, calls } = await tried(sendgrid, {}, { sendgrid_key: SECRET });
    expect(body).toEqual({ ok: true, status: 200, latencyMs: 0, findings: [], callbacks: "key_missing" });
    expect(calls).toMatchObject([
      {
        method: "GET",
        url: "https://api.sendgrid.com/v3/scopes",
        headers: { Authorization: `Bearer ${SECRET}` },
        secrets: [SECRET],
      },
    ]);
  });

  test.each<[string, object, Record<string, string>, object]>([
    [
      "twilio",
      { credentials: { accountSid: "sid", authToken: "tok" }, baseUrl: "https://twilio.example.com/" },
      { sid: "AC123", tok: "t-123" },
      {
        url: "https://twilio.example.com/2010-04-01/Accounts/AC123.json",
        headers: { Authorization: `Basic ${btoa("AC123:t-123")}` },
      },
    ],
    [
      "slack",
      { credentials: { token: "tok" } },
      { tok: "xoxb-1" },
      { method: "POST", url: "https://slack.com/api/auth.test" },
    ],
    [
      "evm",
      { baseUrl: "https://rpc.example.com" },
      {},
      { method: "POST", body: expect.stringContaining("eth_chainId") },
    ],
    [
      "http",
      { baseUrl: "https://api.example.com/v1", auth: { type: "api_key", query: "k" }, credentials: { apiKey: "tok" } },
      { tok: "key 1" },
      { method: "GET", url: "https://api.example.com/v1?k=key+1", headers: {} },
    ],
    [
      "http",
      { baseUrl: "https://api.example.com", auth: { type: "basic" }, credentials: { username: "u", password: "p" } },
      { u: "user", p: "päss" },
      { headers: { Authorization: "Basic dXNlcjpww6Rzcw==" } },
    ],
  ])("%s", async (provider, more, secrets, call) => {
    const { body, calls } = await tried({ name: "it", provider, ...more }, {}, secrets);
    expect(body.ok).toBe(true);
    expect(calls).toMatchObject([call]);
  });

  test("reports missing secrets, and makes no call", async () => {
    const { body, calls } = await tried(sendgrid, {}, {});
    expect(body).toMatchObject({
      ok: false,
      status: null,
      findings: [
        { pointer: "/credentials/apiKey", code: "secret_missing", message: expect.stringContaining("sendgrid_key") },
      ],
    });
    expect(calls).toEqual([]);
  });

  test("returns the provider's error", async () => {
    const error = {
      type: "authentication_failed",
      code: "http_401",
      message: "GET api.sendgrid.com answered 401",
      retryable: false,
    };
    const { body } = await tried(sendgrid, { ok: false, status: 401, error }, { sendgrid_key: SECRET });
    expect(body).toMatchObject({ ok: false, status: 401, findings: [{ pointer: "/credentials", code: "http_401" }] });
    const slack = { name: "chat", provider: "slack", credentials: { token: "tok" } };
    const refused = await tried(slack, { data: { ok: false, error: "invalid_auth" } }, { tok: "xoxb-1" });
    expect(refused.body).toMatchObject({ ok: false, status: 200, findings: [{ code: "invalid_auth" }] });
  });

  test("reports that the provider has no endpoint to call", async () => {
    for (const connection of [
      { name: "push", provider: "webpush" },
      { name: "hook", provider: "slack", credentials: { webhookUrl: "tok" } },
    ]) {
      const { body } = await tried(connection, {}, { tok: "https://hooks.slack.com/x" });
      expect(body).toMatchObject({ ok: false, findings: [{ code: "not_testable" }] });
    }
  });
});
