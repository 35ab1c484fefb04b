// Trigger addresses over HTTP: verification, responses, and the cost of requests with a wrong token. The tests count
// calls, not time.
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import { tokenText } from "#policy/inbound/token.ts";
import type { Deps } from "#services/deps.ts";
import { STORED_REQUESTS_BYTES_MAX } from "#schema/limits/inbound/deliveries.ts";
import { hookTokenSecretsOf } from "#services/signing/signing-secret.ts";
import { api, must, order, tenantWithKey } from "#test/support/api.ts";
import { brokenBinding, catalog, NOW, ROOT_KEY } from "#test/support/catalog.ts";
import { countedDb, workOf } from "#test/support/work-counted.ts";

const knock = {
  name: "knocks",
  kind: "webhook",
  verify: { scheme: "token", header: "X-Knock", secret: "knock_key" },
  target: { kind: "start", definition: "order" },
};
const KEY = "the-key-to-knock-with";

async function office(over: object = {}, deps: Partial<Deps> = {}) {
  const made = api(deps);
  const { tenant, key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: order }));
  await must(200, made.ask("PUT", "/v1/secrets/knock_key", { key, body: { value: KEY } }));
  const { body } = await must(201, made.ask("POST", "/v1/triggers", { key, body: { ...knock, ...over } }));
  const path = new URL(body.url).pathname;
  const send = (raw: BodyInit = "{}", headers: Record<string, string> = {}, at = path, method = "POST") =>
    made.ask(method, at, {
      key: null,
      headers: { "Content-Type": "application/json", "X-Knock": KEY, ...headers },
      ...(method === "POST" ? { raw } : {}),
    });
  const steer = (verb: string, sent: object = {}) =>
    must(200, made.ask("POST", `/v1/triggers/knocks/${verb}`, { key, body: sent }));
  return { ...made, tenant, key, trigger: body, path, send, steer };
}

describe("a wrong token", () => {
  test("costs one digest and no lookup", async () => {
    const { db, asked } = countedDb();
    const { send, tenant, trigger } = await office({}, { db });
    const forged = (of: string, id: string) =>
      `/hooks/${tokenText({ tenant: of, trigger: id, generation: 1 }, new Uint8Array(32))}`;
    const nobody = "trg_01M7Q48867NC3EAGN8HRJWPPCQ";
    for (const path of [forged(tenant, trigger.id), forged(tenant, nobody), forged("nobody", nobody)]) {
      const work = await workOf(asked, async () => {
        const refused = await must(401, send("{}", {}, path));
        expect(refused.body.code).toBe("unauthenticated");
      });
      expect(work).toEqual({ statements: 0, digests: 1, openings: 0 });
    }
    expect(await workOf(asked, () => must(401, send("{}", {}, "/hooks/nothing")))).toMatchObject({ statements: 0 });
  });

  test("gets the same response as a wrong signature", async () => {
    const { send, path } = await office();
    const [wrong, unsigned] = [
      await send("{}", {}, `${path.slice(0, -2)}AA`),
      await send("{}", { "X-Knock": "guess" }),
    ];
    expect({ ...unsigned.body, requestId: "" }).toEqual({ ...wrong.body, requestId: "" });
    expect(wrong.status).toBe(401);
  });
});

describe("responses", () => {
  test("202, then 410 while disabled, then 202 again", async () => {
    const { send, steer } = await office();
    const taken = await must(202, send());
    expect(taken.body.deliveries).toMatchObject([{ status: "pending", execution: expect.stringMatching(/^exe_/) }]);
    await steer("disable", { reason: "noisy" });
    expect((await must(410, send())).body.code).toBe("trigger_closed");
    await steer("enable");
    await must(202, send());
  });

  test("413 above the size limit, 415 for an unsupported type, 202 for a signed invalid body", async () => {
    const { send } = await office();
    await must(413, send("x".repeat(1_048_577)));
    await must(415, send("--x", { "Content-Type": "multipart/form-data; boundary=x" }));
    const broken = await must(202, send("{broken"));
    expect(broken.body.deliveries).toMatchObject([{ status: "unmappable", reason: { code: "malformed_json" } }]);
  });

  test("JSON is accepted, and the first value that cannot be stored exactly is noted", async () => {
    const { send, ask, key } = await office();
    const taken = await must(202, send('{"a":1,"a":12345678901234567890}'));
    const [{ id }] = taken.body.deliveries;
    const read = await must(200, ask("GET", `/v1/triggers/knocks/deliveries/${id}`, { key }));
    expect(read.body.request).toMatchObject({ body: { a: 12345678901234567000 }, loss: { pointer: "/a" } });
  });

  test("403 while its tenant is suspended, but 401 without a valid signature", async () => {
    const { send, ask, tenant } = await office();
    const body = { reason: "unpaid" };
    await must(200, ask("POST", `/v1/tenants/${tenant}/suspend`, { key: ROOT_KEY, body }));
    expect((await must(403, send())).body.code).toBe("tenant_suspended");
    await must(401, send("{}", { "X-Knock": "guess" }));
  });

  test("405 with Allow: POST for every other method, and for a refused preflight", async () => {
    const { send, path } = await office();
    expect((await must(405, send("", {}, path, "GET"))).headers.get("Allow")).toContain("POST");
    const asked = await must(405, send("", { "WebHook-Request-Origin": "a.example" }, path, "OPTIONS"));
    expect(asked.headers.get("Allow")).toBe("POST");
    await must(405, send("", { "WebHook-Request-Origin": "a.example" }, "/hooks/nothing", "OPTIONS"));
  });
});

describe("before the signature is verified", () => {
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const crowded = Array.from({ length: 1_001 }, (_, n) => `f${n}=1`).join("&");

  test("the rate is counted, and above it no byte of a body is read", async () => {
    const { send } = await office({ rateLimit: { perMinute: 1, burst: 2 } });
    const unsigned = { "X-Knock": "guess", "CF-Connecting-IP": "203.0.113.7" };
    await must(401, send("{}", unsigned));
    await must(401, send("{}", unsigned));
    let pulls = 0;
    const raw = new ReadableStream({ type: "bytes", pull: () => void pulls++ }, { highWaterMark: 0 });
    const refused = await must(429, send(raw, unsigned));
    expect([refused.body.code, refused.headers.get("Retry-After"), pulls]).toEqual(["rate_limited", "60", 0]);
    // Each sender address has a rate limit of its own.
    await must(202, send("{}", { "CF-Connecting-IP": "203.0.113.8" }));
  });

  test("the body is not parsed: a form with too many fields is refused after verification", async () => {
    const { send } = await office();
    await must(401, send(crowded, { ...form, "X-Knock": "guess" }));
    const { body } = await must(422, send(crowded, form));
    expect(body).toMatchObject({ code: "limit_exceeded", details: { field: "body", size: 1_001, limit: 1_000 } });
  });

  test("the fields of a signed form are limited", async () => {
    const { send } = await office({ verify: { scheme: "twilio", secret: "knock_key" } });
    const signature = { ...form, "X-Twilio-Signature": "AAAA" };
    await must(401, send(crowded.replace("&f1000=1", ""), signature));
    const { body } = await must(422, send(crowded, signature));
    expect(body).toMatchObject({ code: "limit_exceeded", details: { size: 1_001 } });
  });

  test("a body that ends early is refused", async () => {
    const { send } = await office();
    const lost = Object.assign(new Error("Network connection lost."), { retryable: true });
    const raw = new ReadableStream({ type: "bytes", pull: (controller) => controller.error(lost) });
    expect((await must(400, send(raw))).body.code).toBe("body_unreadable");
  });
});

describe("rotation", () => {
  test("of the token: both addresses work during the overlap, then one", async () => {
    const { send, steer, world, path } = await office();
    const { body } = await steer("rotate-token", { overlapMs: 60_000 });
    const renewed = new URL(body.url).pathname;
    expect(renewed).not.toBe(path);
    for (const each of [path, renewed]) await must(202, send("{}", {}, each));
    world.clock.now += 61_000;
    await must(410, send("{}", {}, path));
    await must(202, send("{}", {}, renewed));
  });

  test("of the secret: both secrets are accepted during the overlap", async () => {
    const { send, steer, world, ask, key } = await office();
    await must(200, ask("PUT", "/v1/secrets/knock_2", { key, body: { value: "another-key" } }));
    await steer("rotate-secret", { secret: "knock_2", overlapMs: 60_000 });
    await must(202, send());
    await must(202, send("{}", { "X-Knock": "another-key" }));
    world.clock.now += 61_000;
    await must(401, send());
    await must(202, send("{}", { "X-Knock": "another-key" }));
    expect(
      (await must(400, ask("POST", "/v1/triggers/knocks/rotate-secret", { key, body: { secret: "knock_2" } }))).body
        .errors,
    ).toMatchObject([{ pointer: "/secret" }]);
  });

  test("of the installation's key: earlier addresses stay valid", async () => {
    let keys = "old";
    const { send, ask, key } = await office({}, { hookTokenSecrets: () => hookTokenSecretsOf(keys) });
    keys = "new,old";
    await must(202, send());
    const { url } = (await must(200, ask("GET", "/v1/triggers/knocks/address", { key }))).body;
    await must(202, send("{}", {}, new URL(url).pathname));
    keys = "new";
    await must(401, send());
  });
});

test("while D1 is down, cached triggers work, and uncached ones are 503", async () => {
  let binding = catalog();
  const db = new Proxy(binding, { get: (_target, name) => Reflect.get(binding, name) });
  const { send, trigger, tenant } = await office({}, { db });
  await must(202, send());
  binding = openDb(brokenBinding);
  await must(202, send());
  const cold = api({ db: openDb(brokenBinding) });
  const other = await import("#services/triggers/hook-token.ts");
  const ids = { tenant, trigger: `${trigger.id}0`, generation: 1 };
  const token = await other.makeToken({ hookTokenSecrets: () => hookTokenSecretsOf("the key of the tests") }, ids);
  const refused = await cold.ask("POST", `/hooks/${token.ok ? token.value : ""}`, { key: null, raw: "{}" });
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
});

describe("CloudEvents", () => {
  const event = { specversion: "1.0", id: "1", source: "/shop", type: "order.made", data: { total: 3 } };
  const structured = { "Content-Type": "application/cloudevents+json" };
  const settings = { cloudEvents: { origins: ["shop.example"], ratePerMinute: 5 } };

  test("are deduplicated by source and id in each mode; each item of a batch is one delivery", async () => {
    const { send } = await office(settings);
    await must(202, send(JSON.stringify(event), structured));
    const binary = { "ce-specversion": "1.0", "ce-id": "1", "ce-source": "%2Fshop", "ce-type": '"order.made"' };
    expect((await must(202, send('{"total":3}', binary))).body.deliveries).toMatchObject([{ duplicate: true }]);
    const batch = JSON.stringify([{ ...event, id: "2" }, { id: "3" }, { ...event, source: "/other" }]);
    const taken = await must(202, send(batch, { "Content-Type": "application/cloudevents-batch+json" }));
    expect(taken.body.deliveries).toMatchObject([
      { status: "pending", duplicate: false },
      { status: "unmappable", reason: { code: "not_a_cloud_event" } },
      { status: "pending", deliveryId: '["/other","1"]' },
    ]);
    const { body } = await must(400, send(JSON.stringify({ ...event, specversion: "0.3" }), structured));
    expect(body.errors).toMatchObject([{ code: "not_a_cloud_event" }]);
  });

  test("of one batch share the size limit, each with the request's headers", async () => {
    const { send } = await office(settings);
    const batch = JSON.stringify(Array.from({ length: 900 }, (_, n) => ({ ...event, id: `${n}` })));
    const headers = { "Content-Type": "application/cloudevents-batch+json", "X-Long": "x".repeat(10_000) };
    const { body } = await must(413, send(batch, headers));
    expect(body.details).toMatchObject({ field: "body", limit: STORED_REQUESTS_BYTES_MAX });
    expect(body.details.size).toBeGreaterThan(STORED_REQUESTS_BYTES_MAX);
  });

  test("of a batch that is too long are counted and not parsed", async () => {
    const { send } = await office(settings);
    const headers = { "Content-Type": "application/cloudevents-batch+json" };
    const { body } = await must(413, send(JSON.stringify(Array.from({ length: 1_001 }, () => event)), headers));
    expect(body.details).toEqual({ field: "body", size: 1_001, limit: 1_000 });
  });

  test("that are invalid are refused", async () => {
    const { send } = await office(settings);
    await must(415, send("{}"));
    expect((await must(400, send("{", structured))).body.code).toBe("invalid_input");
    await must(400, send("", { "ce-specversion": "1.0", "ce-id": "%FF" }));
  });

  test("listed origins pass the handshake", async () => {
    const { send, path } = await office(settings);
    const allowed = await must(200, send("", { "WebHook-Request-Origin": "shop.example" }, path, "OPTIONS"));
    expect(allowed.headers.get("WebHook-Allowed-Origin")).toBe("shop.example");
    expect(allowed.headers.get("WebHook-Allowed-Rate")).toBe("5");
    await must(405, send("", { "WebHook-Request-Origin": "other.example" }, path, "OPTIONS"));
  });
});

test("a sender's id may be anywhere in the body, and a long one is stored as its digest", async () => {
  const { send } = await office({ deliveryId: { path: "body.event.id" } });
  const [first, again] = [await must(202, send('{"event":{"id":7}}')), await must(202, send('{"event":{"id":7}}'))];
  expect(first.body.deliveries).toMatchObject([{ deliveryId: "7", duplicate: false }]);
  expect(again.body.deliveries).toMatchObject([{ deliveryId: "7", duplicate: true }]);
  const long = await must(202, send(JSON.stringify({ event: { id: "x".repeat(300) } })));
  expect(long.body.deliveries[0].deliveryId).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test("Slack's challenge is echoed, and is not a delivery", async () => {
  const { send, ask, key } = await office({ verify: { scheme: "slack", secret: "knock_key" } });
  const body = JSON.stringify({ type: "url_verification", challenge: "3eZbrw1a" });
  const at = String(Math.floor(NOW / 1_000));
  const signature = createHmac("sha256", KEY).update(`v0:${at}:${body}`).digest("hex");
  const headers = { "X-Slack-Request-Timestamp": at, "X-Slack-Signature": `v0=${signature}` };
  expect((await must(200, send(body, headers))).body).toEqual({ challenge: "3eZbrw1a" });
  await must(401, send(body.replace("3", "4"), headers));
  expect((await must(200, ask("GET", "/v1/triggers/knocks/deliveries", { key }))).body.data).toEqual([]);
});

test("each event of a SendGrid list is one delivery, deduplicated by itself", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { send, ask, key } = await office({ verify: { scheme: "sendgrid", secret: "knock_key" } });
  const value = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  await must(200, ask("PUT", "/v1/secrets/knock_key", { key, body: { value } }));
  const at = String(Math.floor(NOW / 1_000));
  const post = (events: readonly string[]) => {
    const body = JSON.stringify(events.map((id) => ({ sg_event_id: id, event: "open" })));
    const named = "X-Twilio-Email-Event-Webhook-";
    const signature = createSign("sha256").update(`${at}${body}`).sign(privateKey, "base64");
    return must(202, send(body, { [`${named}Signature`]: signature, [`${named}Timestamp`]: at }));
  };
  await post(["a", "b"]);
  expect((await post(["b", "c", "c"])).body.deliveries).toMatchObject([
    { deliveryId: "b", duplicate: true },
    { deliveryId: "c", duplicate: false },
    { deliveryId: "c", duplicate: true },
  ]);
});
