// Tests of the push runner: the contract with a browser's push service, VAPID signatures, and Firebase with tokens and
// errors.
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import type { JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { pushEncryption } from "./push-encryption.ts";
import { browserKeys, decrypted } from "./push-receiver.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { jsonResponse, NOW, type Answer } from "#test/runners/world.ts";

const vapid = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
const raw = (text = "") => Buffer.from(text, "base64url");
const vapidPublicKey = Buffer.concat([Buffer.of(4), raw(vapid.x), raw(vapid.y)]).toString("base64url");
const account = {
  credentials: { vapidPublicKey, vapidPrivateKey: vapid.d ?? "" },
  settings: { subject: "mailto:desk@acme.example" },
};
const subscription = { endpoint: "https://push.example.com/send/abc", expirationTime: null, keys: browserKeys };
const goodConfig = { provider: "webpush", subscription, payload: { title: "Signed", id: 7 } };
const created: Answer = () =>
  new Response(null, { status: 201, headers: { Location: "https://push.example.com/m/1" } });

describe("to a browser", () => {
  runnerContract(runners.push, {
    goodConfig,
    answer: created,
    connection: account,
    bodyOf: async ({ request }) => decrypted(await request.clone().arrayBuffer()),
    readyMs: 300,
    codes: { 404: "subscription_gone", 410: "subscription_gone" },
  });

  pushEncryption();

  const send = (config: JsonObject = {}, answer = created, over: Surroundings = {}) =>
    performed("push", { ...goodConfig, ...config }, answer, { account, ...over });

  it("is readable for the browser only", async () => {
    const { outcome, request, url } = await send({ ttl: 60, urgency: "high", topic: "news" });
    expect(url).toBe(subscription.endpoint);
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "60",
      urgency: "high",
      topic: "news",
    });
    const body = (await request?.arrayBuffer()) ?? new ArrayBuffer();
    expect(JSON.parse(decrypted(body))).toEqual({ title: "Signed", id: 7 });
    expect(Buffer.from(body).toString("latin1")).not.toContain("Signed");
    const payload = { messageId: "https://push.example.com/m/1", provider: "webpush", actionId: "notify" };
    expect(outcome).toMatchObject({ ok: true, events: [{ type: "push_sent", payload }] });
  });

  it("is signed for the push service with the account's keys", async () => {
    const { request } = await send();
    const [, token = "", key] = /^vapid t=(\S+), k=(\S+)$/.exec(request?.headers.get("authorization") ?? "") ?? [];
    expect(key).toBe(vapidPublicKey);
    const [head = "", claims = "", signature = ""] = token.split(".");
    expect(JSON.parse(raw(head).toString())).toEqual({ typ: "JWT", alg: "ES256" });
    const exp = NOW / 1000 + 12 * 60 * 60;
    expect(JSON.parse(raw(claims).toString())).toEqual({
      aud: "https://push.example.com",
      exp,
      sub: "mailto:desk@acme.example",
    });
    const publicKey = createPublicKey({
      key: { kty: "EC", crv: "P-256", x: vapid.x ?? "", y: vapid.y ?? "" },
      format: "jwk",
    });
    const signer = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
    expect(verify("sha256", Buffer.from(`${head}.${claims}`), signer, raw(signature))).toBe(true);
  });

  it("replaces its own undelivered first message", async () => {
    const topicOf = async () => (await send()).request?.headers.get("topic");
    expect(await topicOf()).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(await topicOf()).toBe(await topicOf());
  });

  it.each([
    [{ payload: "x".repeat(3_994) }, {}, "payload_too_large"],
    [{ subscription: { ...subscription, keys: { ...browserKeys, p256dh: "AAAA" } } }, {}, "subscription_invalid"],
    [{}, { account: { credentials: { vapidPublicKey, vapidPrivateKey: "AAAA" } } }, "credential_invalid"],
    [{}, { account: {} }, "credential_missing"],
    [{ subscription: { ...subscription, endpoint: "https://10.0.0.1/x" } }, {}, "egress_refused"],
    [{ ttl: -1 }, {}, "invalid_config"],
  ])("refuses %j", async (config, over, code) => {
    const { outcome, calls } = await send(config, created, over);
    expect([outcome, calls]).toMatchObject([{ ok: false, error: { type: "invalid_configuration", code } }, []]);
  });

  it("accepts a message of the maximum length", async () => {
    const { outcome, request } = await send({ payload: "x".repeat(3_993) });
    expect([outcome.ok, (await request?.arrayBuffer())?.byteLength]).toEqual([true, 4_096]);
  });
});

describe("a receipt", () => {
  const receiptUrl = async () => "https://engine.example/v1/receipts/token";
  const send = (config: JsonObject, over: Surroundings = {}) =>
    performed("push", { ...goodConfig, receipt: true, ...config }, created, { account, receiptUrl, ...over });

  it("is requested by an address in the data", async () => {
    const { request } = await send({});
    const body = (await request?.arrayBuffer()) ?? new ArrayBuffer();
    expect(JSON.parse(decrypted(body))).toEqual({ title: "Signed", id: 7, receiptUrl: await receiptUrl() });
  });

  it.each([
    [{ payload: "a text" }, {}, "receipt_not_possible"],
    [{ payload: null }, {}, "receipt_not_possible"],
    [{ payload: [1] }, {}, "receipt_not_possible"],
    [{}, { receiptUrl: async () => null }, "receipt_unavailable"],
    [{}, { receiptUrl: undefined }, "receipt_unavailable"],
  ])("is refused for %j with %j", async (config, over, code) => {
    const { outcome, calls } = await send(config, over);
    expect([outcome, calls]).toMatchObject([{ ok: false, error: { type: "invalid_configuration", code } }, []]);
  });

  it("is not refused if it is not requested", async () => {
    expect((await send({ receipt: false, payload: "a text" })).outcome.ok).toBe(true);
  });
});

describe("an endpoint that is gone", () => {
  it("is reported by an event of the failure", async () => {
    const answer: Answer = () => new Response(null, { status: 410 });
    const { outcome } = await performed("push", goodConfig, answer, { account });
    const payload = { actionId: "notify", run: expect.any(String), attempt: expect.any(Number) };
    expect(outcome).toMatchObject({ ok: false, events: [{ type: "push_endpoint_gone", payload }] });
  });

  it("is not reported by another failure", async () => {
    const { outcome } = await performed("push", goodConfig, () => new Response(null, { status: 500 }), { account });
    expect(outcome).not.toHaveProperty("events");
  });
});

describe("through Firebase", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const firebase = (project: string) => ({
    credentials: {
      serviceAccount: JSON.stringify({
        project_id: project,
        client_email: "bot@x.example",
        private_key: pem,
        token_uri: "https://oauth2.googleapis.com/token",
      }),
    },
  });
  const config = { provider: "fcm", token: "device-1", notification: { title: "Signed" }, data: { id: 7 } };
  const named: Answer = () => jsonResponse({ name: "projects/p/messages/1" });
  const google =
    (answer: Answer): Answer =>
    (call) =>
      call.url.includes("oauth2.googleapis.com")
        ? jsonResponse({ access_token: "ya29.token", expires_in: 3600 })
        : answer(call);
  const send = (project: string, answer = named, over: JsonObject = {}) =>
    performed("push", { ...config, ...over }, google(answer), { account: firebase(project) });

  it("requests a token as the service account, and sends a message with it", async () => {
    const { outcome, calls } = await send("sends");
    expect(calls.map(({ url }) => url)).toEqual([
      "https://oauth2.googleapis.com/token",
      "https://fcm.googleapis.com/v1/projects/sends/messages:send",
    ]);
    const form = new URLSearchParams(await calls[0]?.request.text());
    const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    expect(JSON.parse(raw(claims).toString())).toMatchObject({
      iss: "bot@x.example",
      aud: "https://oauth2.googleapis.com/token",
      iat: NOW / 1000,
    });
    expect(verify("sha256", Buffer.from(`${head}.${claims}`), publicKey, raw(signature))).toBe(true);
    expect(await calls[1]?.request.json()).toEqual({
      validateOnly: false,
      message: {
        token: "device-1",
        notification: { title: "Signed" },
        data: { idempotencyKey: "exe_1/4.0", id: "7" },
        android: { priority: "NORMAL", ttl: "86400s" },
        webpush: { headers: { TTL: "86400", Urgency: "normal" } },
      },
    });
    expect(outcome).toMatchObject({
      ok: true,
      events: [{ payload: { messageId: "projects/p/messages/1", provider: "fcm" } }],
    });
    expect(JSON.stringify(outcome)).not.toContain("ya29");
  });

  it.each([
    ["a device", {}],
    ["a topic", { token: undefined, topic: "news" }],
    ["a condition", { token: undefined, condition: "'news' in topics && 'de' in topics" }],
  ])("sends a message to %s as Google describes it", async (_, target) => {
    const notification = { title: "Signed", body: "All four.", image: "https://acme.example/a.png" };
    const whole = { ...config, ...target, notification, data: { id: 7, isLast: true }, priority: "high", ttl: 60 };
    const given = JSON.parse(JSON.stringify(whole)) as JsonObject; // JSON.stringify removes undefined fields
    const { calls } = await performed("push", given, google(named), { account: firebase("published") });
    const sent = await sentJson(calls.at(-1)?.request);
    expectPublished("fcm-messages-send", sent);
    expect(sent).toMatchObject({ message: { notification, data: { id: "7", isLast: "true" } } });
  });

  it("has the address of a receipt in its data", async () => {
    const over = { account: firebase("receipts"), receiptUrl: async () => "https://engine.example/v1/receipts/t" };
    const { calls } = await performed("push", { ...config, receipt: true }, google(named), over);
    expect(await calls.at(-1)?.request.json()).toMatchObject({
      message: { data: { id: "7", receiptUrl: "https://engine.example/v1/receipts/t" } },
    });
  });

  it("caches its token, and renews it once when it is refused", async () => {
    await send("keeps");
    expect((await send("keeps")).calls).toHaveLength(1);
    const refused = await send("keeps", () =>
      jsonResponse({ error: { status: "UNAUTHENTICATED", message: "why" } }, { status: 401 }),
    );
    expect(refused.calls).toHaveLength(3);
    expect(refused.outcome).toMatchObject({ ok: false, error: { type: "authentication_failed", retryable: false } });
  });

  it.each([
    [404, "UNREGISTERED", "not_found", false, "subscription_gone"],
    [400, "INVALID_ARGUMENT", "malformed_request", false, "invalid_argument"],
    [403, "SENDER_ID_MISMATCH", "authorization_failed", false, "sender_id_mismatch"],
    [429, "QUOTA_EXCEEDED", "rate_limit", true, "quota_exceeded"],
    [503, "UNAVAILABLE", "service_unavailable", true, "unavailable"],
    [500, "INTERNAL", "service_unavailable", true, "internal"],
  ])("reports a %i %s as %s (retryable: %s), %s", async (status, errorCode, type, retryable, code) => {
    const details = [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode }];
    const error = { code: status, message: "why", status: "X", details };
    const { outcome } = await send("errors", () => jsonResponse({ error }, { status }));
    expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code } });
  });

  it.each([
    [{ topic: "news" }, "token:"],
    [{ notification: undefined, data: undefined }, "notification:"],
  ])("refuses %j by field", async (over, said) => {
    const given = Object.fromEntries(
      Object.entries({ ...config, ...over }).filter(([, value]) => value !== undefined),
    ) as JsonObject;
    const { outcome, calls } = await performed("push", given, named, { account: firebase("x") });
    expect(outcome.ok ? "" : outcome.error.message).toContain(said);
    expect(calls).toEqual([]);
  });

  it("reports an invalid key of the account", async () => {
    const credentials = {
      projectId: "p",
      clientEmail: "bot@x.example",
      privateKey: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
    };
    const { outcome } = await performed("push", config, named, { account: { credentials } });
    expect(outcome).toMatchObject({ ok: false, error: { code: "credential_invalid" } });
    expect(JSON.stringify(outcome)).not.toContain("BEGIN");
  });
});
