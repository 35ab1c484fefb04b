// Tests the imitated providers with the runners that call the real ones, and queries the recorded requests.
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#schema/json.ts";
import { browserKeys, decrypted } from "#test/runners/push/push-receiver.ts";
import { SANDBOX, sandboxed } from "./sandboxed.ts";
import { naming } from "#test/support/matchers/naming.ts";

const { server, perform, script, arrived } = sandboxed();

const accounts = {
  sendgrid: { baseUrl: `${SANDBOX}/sendgrid`, credentials: { apiKey: "SG.key" } },
  resend: { baseUrl: `${SANDBOX}/resend`, credentials: { apiKey: "re_key" } },
  twilio: { baseUrl: `${SANDBOX}/twilio`, credentials: { accountSid: "AC1", authToken: "token" } },
  slack: { baseUrl: `${SANDBOX}/slack`, credentials: { token: "xoxb-1" } },
} as const;
const mail = { from: "post@acme.example", to: "ada@example.com", subject: "Hello", text: "Hi." };
const text = { to: "+14155550123", from: "+15005550006", message: "Hi." };

describe("e-mail", () => {
  it("is accepted or refused as by SendGrid", async () => {
    const { outcome } = await perform("email", { provider: "sendgrid", ...mail }, accounts.sendgrid, "exe_s/mail");
    expect(outcome).toMatchObject({ ok: true, result: { messageId: expect.stringMatching(/^sendgrid-\d+$/) } });
    const [request] = await arrived("/sendgrid/*");
    expect([request?.key, JSON.parse(request?.body ?? "{}")]).toMatchObject(["exe_s/mail", { subject: "Hello" }]);
    const wrong = await perform(
      "email",
      { provider: "sendgrid", ...mail },
      { ...accounts.sendgrid, credentials: { apiKey: "no" } },
    );
    expect(wrong.outcome).toMatchObject({ error: { type: "authentication_failed" } });
    const from = await perform(
      "email",
      { provider: "sendgrid", ...mail, from: "unverified@acme.example" },
      accounts.sendgrid,
    );
    expect(from.outcome).toMatchObject({ error: { code: "sender_not_verified" } });
    const dry = await perform("email", { provider: "sendgrid", ...mail }, { ...accounts.sendgrid, sandbox: true });
    expect(dry.outcome).toMatchObject({ ok: true, result: { messageId: null } });
  });

  it("is refused by Resend without a User-Agent", async () => {
    const response = await server.fetch("/resend/emails", { method: "POST", headers: { "User-Agent": "" } });
    expect([response.status, await response.text()]).toEqual([403, "error code: 1010"]);
  });

  it("gets the same id from Resend for the same key", async () => {
    const once = async (key: string) =>
      (await perform("email", { provider: "resend", ...mail }, accounts.resend, key)).outcome;
    const [first, again, other] = [await once("exe_s/r1"), await once("exe_s/r1"), await once("exe_s/r2")];
    expect(again).toMatchObject({ ok: true, result: first.ok ? first.result : null });
    expect(other).not.toMatchObject({ result: first.ok ? first.result : null });
    const wrong = await perform(
      "email",
      { provider: "resend", ...mail },
      { ...accounts.resend, credentials: { apiKey: "no" } },
    );
    expect(wrong.outcome).toMatchObject({ error: { code: "invalid_api_key" } });
  });

  it("arrives with its files and its other fields", async () => {
    await script("/sink/logo.png", [{ status: 200, body: "PNG" }]);
    const sendAt = new Date(Date.now() + 60_000).toISOString();
    const rich = {
      ...mail,
      sendAt,
      replyTo: ["a@acme.example", "b@acme.example"],
      attachments: [{ url: `${SANDBOX}/sink/logo.png`, contentId: "logo" }],
    };
    const sendgrid = { provider: "sendgrid", ...rich, tracking: { opens: false, clicks: false } };
    expect((await perform("email", sendgrid, accounts.sendgrid, "exe_s/rich")).outcome).toMatchObject({ ok: true });
    const resend = { provider: "resend", ...rich };
    expect((await perform("email", resend, accounts.resend, "exe_s/rich")).outcome).toMatchObject({ ok: true });
    const bodyOf = async (path: string) =>
      JSON.parse((await arrived(path)).find(({ key }) => key === "exe_s/rich")?.body ?? "{}") as unknown;
    expect(await bodyOf("/sendgrid/*")).toMatchObject({
      reply_to_list: [{ email: "a@acme.example" }, { email: "b@acme.example" }],
      attachments: [{ filename: "logo.png", disposition: "inline", content_id: "logo" }],
      tracking_settings: { open_tracking: { enable: false } },
    });
    expect(await bodyOf("/resend/*")).toMatchObject({ scheduled_at: sendAt, attachments: [{ content_id: "logo" }] });
  });

  it("is a conflict at Resend if a file has changed between two attempts", async () => {
    const config = { provider: "resend", ...mail, attachments: [{ url: `${SANDBOX}/sink/terms.txt` }] };
    await script("/sink/terms.txt", [{ status: 200, body: "v1" }]);
    const attempt = async () => (await perform("email", config, accounts.resend, "exe_s/changed")).outcome;
    expect(await attempt()).toMatchObject({ ok: true });
    await script("/sink/terms.txt", [
      { status: 200, body: "v2" },
      { status: 200, body: "v2" },
    ]);
    expect(await attempt()).toMatchObject({ error: { code: "idempotency_conflict", retryable: false } });
  });

  it("fails as scripted, in the provider's format, attempt by attempt", async () => {
    await script("/sendgrid/v3/mail/send", [
      { status: 503 },
      { status: 429, headers: { "Retry-After": "7" } },
      { delayMs: 5 },
    ]);
    const attempt = async () =>
      (await perform("email", { provider: "sendgrid", ...mail }, accounts.sendgrid, "exe_s/scripted")).outcome;
    expect(await attempt()).toMatchObject({ error: { type: "service_unavailable", message: naming(503) } });
    expect(await attempt()).toMatchObject({ error: { type: "rate_limit" }, retryAfterMs: 7_000 });
    expect(await attempt()).toMatchObject({ ok: true, result: { messageId: expect.stringMatching(/^sendgrid-/) } });
    await script("/sendgrid/v3/mail/send", []);
  });
});

describe("SMS", () => {
  it("arrives at Twilio", async () => {
    const { outcome } = await perform("sms", text, accounts.twilio);
    expect(outcome).toMatchObject({
      ok: true,
      result: { messageId: expect.stringMatching(/^SM[0-9a-f]{32}$/), status: "queued" },
    });
  });

  const sid = (letters: string) => letters + "1".repeat(32);

  it.each<[string, JsonObject, object]>([
    ["a picture", { mediaUrls: ["https://acme.example/a.png"] }, { messageId: expect.stringMatching(/^MM/) }],
    ["a message through WhatsApp", { channel: "whatsapp" }, { channel: "whatsapp", status: "queued" }],
    [
      "a message for later",
      { messagingServiceSid: sid("MG"), sendAt: new Date(Date.now() + 3_600_000).toISOString() },
      { status: "scheduled" },
    ],
  ])("takes %s", async (_, config, result) => {
    expect((await perform("sms", { ...text, ...config }, accounts.twilio)).outcome).toMatchObject({ ok: true, result });
  });

  it("accepts a content template with variables", async () => {
    const config = { to: text.to, from: text.from, contentSid: sid("HX"), contentVariables: { 1: "Ada" } };
    expect((await perform("sms", config, accounts.twilio)).outcome).toMatchObject({ ok: true });
  });

  it.each([
    ["+15005550001", "invalid_number"],
    ["+15005550003", "region_not_enabled"],
    ["+15005550004", "recipient_unsubscribed"],
  ])("is refused for Twilio's test number %s: %s", async (to, code) => {
    expect((await perform("sms", { ...text, to }, accounts.twilio)).outcome).toMatchObject({
      ok: false,
      error: { code },
    });
  });

  it("is refused with wrong credentials", async () => {
    const { outcome } = await perform("sms", text, {
      ...accounts.twilio,
      credentials: { accountSid: "AC1", authToken: "wrong" },
    });
    expect(outcome).toMatchObject({ ok: false, error: { type: "authentication_failed" } });
  });
});

describe("Slack", () => {
  it("accepts messages from an app and through a webhook", async () => {
    const app = await perform("slack", { channel: "C1", text: "Hello" }, accounts.slack);
    expect(app.outcome).toMatchObject({ ok: true, result: { channel: "C1", ts: expect.stringMatching(/^\d+\.\d+$/) } });
    const hook = await perform(
      "slack",
      { text: "Hello" },
      { credentials: { webhookUrl: `${SANDBOX}/slack/services/T1/B1/abc` } },
    );
    expect(hook.outcome).toMatchObject({ ok: true });
  });

  it.each([
    [{ channel: "archived-1", text: "x" }, accounts.slack, "slack_is_archived"],
    [{ channel: "unknown-1", text: "x" }, accounts.slack, "slack_channel_not_found"],
    [{ channel: "C1", text: "x" }, { ...accounts.slack, credentials: { token: "no" } }, "slack_invalid_auth"],
    [{ text: "x" }, { credentials: { webhookUrl: `${SANDBOX}/slack/services/T1/B1/revoked` } }, "slack_no_service"],
  ])("refuses %j", async (config, account, code) => {
    expect((await perform("slack", config, account)).outcome).toMatchObject({ ok: false, error: { code } });
  });
});

describe("push", () => {
  const vapid = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const raw = (part = "") => Buffer.from(part, "base64url");
  const vapidPublicKey = Buffer.concat([Buffer.of(4), raw(vapid.x), raw(vapid.y)]).toString("base64url");
  const browser = { credentials: { vapidPublicKey, vapidPrivateKey: vapid.d ?? "" } };
  const to = (id: string) => ({
    provider: "webpush",
    subscription: { endpoint: `${SANDBOX}/push/${id}`, keys: browserKeys },
    payload: { n: 1 },
  });

  it("is accepted for a browser, unless it has unsubscribed", async () => {
    const { outcome, bodies } = await perform("push", to("b1"), browser);
    expect(outcome).toMatchObject({ ok: true, result: { messageId: expect.stringContaining("/push-messages/") } });
    expect(decrypted(bodies[0] ?? new ArrayBuffer())).toBe('{"n":1}');
    expect((await perform("push", to("gone-1"), browser)).outcome).toMatchObject({
      error: { code: "subscription_gone" },
    });
  });

  it("is accepted by Firebase, unless the device token is expired", async () => {
    const pem = generateKeyPairSync("rsa", { modulusLength: 2048 })
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString();
    const serviceAccount = JSON.stringify({
      project_id: "p",
      client_email: "bot@x.example",
      private_key: pem,
      token_uri: `${SANDBOX}/oauth2/token`,
    });
    const account = { baseUrl: `${SANDBOX}/fcm`, credentials: { serviceAccount } };
    const send = (token: string) => perform("push", { provider: "fcm", token, notification: { title: "x" } }, account);
    expect((await send("d1")).outcome).toMatchObject({
      ok: true,
      result: { messageId: expect.stringMatching(/^projects\/p\/messages\/\d+$/) },
    });
    expect((await send("gone-1")).outcome).toMatchObject({ error: { code: "subscription_gone" } });
  });
});

describe("an API with OAuth2", () => {
  const oauth = (clientSecret: string, query = "") => ({
    type: "oauth2",
    tokenEndpoint: `${SANDBOX}/oauth2/token${query}`,
    clientId: "c",
    clientSecret,
  });

  it("accepts a token, and echoes the request", async () => {
    const config = {
      url: `${SANDBOX}/api/records/7`,
      method: "PUT",
      payload: { a: 1 },
      authentication: oauth("s"),
      responseMapping: { path: "/path", received: "/received" },
    };
    expect((await perform("api_call", config, {})).outcome).toMatchObject({
      ok: true,
      events: [{ payload: { statusCode: 200, mapped: { path: "/api/records/7", received: '{"a":1}' } } }],
    });
  });

  it("refuses a wrong client and an expired token", async () => {
    const call = (authentication: JsonObject) => perform("api_call", { url: `${SANDBOX}/api/x`, authentication }, {});
    expect((await call(oauth("wrong"))).outcome).toMatchObject({
      error: { type: "authentication_failed", code: "invalid_client" },
    });
    expect((await call(oauth("s", "?expiresIn=0"))).outcome).toMatchObject({
      error: { type: "authentication_failed", code: "http_401" },
    });
  });
});
