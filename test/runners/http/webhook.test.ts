// Tests of the webhook runner: the contract, and its own features.
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { runTicket } from "#runners/run.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { webhookConfig, webhookContract } from "#test/runners/webhook-contract.ts";
import { jsonResponse, NOW, signedWith, ticketFor, world, type Answer, type World } from "#test/runners/world.ts";

webhookContract();

const SECRET = `whsec_${btoa("0123456789abcdef01234567")}`;
const OTHER = `whsec_${btoa("another-key-another-key-")}`;
const accepts: Answer = () =>
  jsonResponse({ accepted: true }, { status: 202, headers: { "X-Request-Id": "r1", "X-Other": "o" } });

async function perform(config: JsonObject, over: Parameters<typeof world>[1] = {}, answer = accepts) {
  const surroundings = world(answer, over);
  const outcome = await runTicket(
    ticketFor("webhook", { url: "https://crm.example.com/hooks", ...config }),
    surroundings,
  );
  return { outcome, request: surroundings.calls[0]?.request, url: surroundings.calls[0]?.url };
}

it("returns the answer and emits its event", async () => {
  let clock = NOW;
  const slowly: Answer = (call) => ((clock += 40), accepts(call));
  const config = { ...webhookConfig, url: "https://crm.example.com/h?token=abcdef&a=1" };
  const { outcome } = await perform(config, { now: () => clock }, slowly);
  const url = "https://crm.example.com/h?token=[redacted]&a=1";
  expect(outcome).toEqual({
    ok: true,
    result: {
      statusCode: 202,
      headers: { "content-type": "application/json", "x-request-id": "r1" },
      data: { accepted: true },
    },
    events: [
      {
        type: "webhook_called",
        payload: { url, method: "POST", statusCode: 202, responseTime: 40, actionId: "notify" },
      },
    ],
    startedAt: NOW,
    endedAt: NOW + 40,
    metadata: { url, statusCode: 202 },
  });
});

it("sends User-Agent, Content-Type and Idempotency-Key, unless the config sets them", async () => {
  const plain = await perform({ payload: { a: 1 } });
  expect(Object.fromEntries(plain.request?.headers ?? [])).toMatchObject({
    "content-type": "application/json",
    "idempotency-key": "exe_1/4.0",
    "user-agent": "Escapement/1",
  });
  const headers = {
    "content-type": "application/cloudevents+json",
    "IDEMPOTENCY-KEY": "mine",
    "X-Count": 3,
    "user-agent": "acme/2",
  };
  const own = await perform({ payload: { a: 1 }, headers });
  expect(Object.fromEntries(own.request?.headers ?? [])).toMatchObject({
    "content-type": "application/cloudevents+json",
    "idempotency-key": "mine",
    "user-agent": "acme/2",
    "x-count": "3",
  });
});

it.each([
  ["an object as JSON", { a: [1, null] }, '{"a":[1,null]}'],
  ["a list as JSON", [1, 2], "[1,2]"],
  ["a number as JSON", 5, "5"],
  ["null as JSON", null, "null"],
  ["a string as it is", "a=1&b=2", "a=1&b=2"],
])("sends %s", async (_, payload, body) => {
  expect(await (await perform({ payload })).request?.text()).toBe(body);
});

it.each<[string, Json, string]>([
  ["a flat object", { name: "Ada L.", count: 3, isOpen: true, note: "" }, "name=Ada+L.&count=3&isOpen=true&note="],
  ["a list by its name again", { tag: ["a", "b"], none: [] }, "tag=a&tag=b"],
  ["an object in brackets", { a: { b: { c: 1 }, d: [2, 3] } }, "a%5Bb%5D%5Bc%5D=1&a%5Bd%5D=2&a%5Bd%5D=3"],
  ["names as they are", { "items[0][id]": 7, "tag[]": ["a"] }, "items%5B0%5D%5Bid%5D=7&tag%5B%5D=a"],
  ["what is not ASCII, and what a form is made of", { q: "Zürich & = + 😀" }, "q=Z%C3%BCrich+%26+%3D+%2B+%F0%9F%98%80"],
  ["a text as it is", "a=1&a=2", "a=1&a=2"],
])("sends as a form %s", async (_, payload, body) => {
  const { request } = await perform({ payload, encoding: "form" });
  expect(request?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
  expect(await request?.text()).toBe(body);
});

it("keeps the config's content type of a form", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const { request } = await perform({ payload: { a: 1 }, encoding: "form", headers });
  expect(request?.headers.get("content-type")).toBe(headers["content-type"]);
});

it.each<[JsonObject, string[]]>([
  [{ payload: { a: "{{ a }}", b: ["{{ b }}"], c: { d: "{{ d }}" } } }, []],
  [{ payload: "{{ fields }}" }, []],
  [{ payload: { a: null, b: { c: [null] } } }, ["/payload/a", "/payload/b/c/0"]],
  [{ payload: { a: [{ b: 1 }], c: [[1]] } }, ["/payload/a/0", "/payload/c/0"]],
  [{ payload: [1] }, ["/payload"]],
  [{ payload: 5 }, ["/payload"]],
  [{}, ["/encoding"]],
  [{ payload: {}, encoding: "multipart" }, ["/encoding"]],
])("refuses the form %j, as a draft and before sending", async (config, pointers) => {
  const whole = { url: "https://crm.example.com/h", encoding: "form", ...config };
  expect(configFindings("webhook", whole).map(({ pointer }) => pointer)).toEqual(pointers);
  const called = { ...whole, service: "crm" };
  const { url: _, ...call } = called;
  const said = configFindings("api_call", { ...call, method: "POST" }).map(({ pointer }) => pointer);
  expect(said).toEqual(pointers);
  if (pointers.length > 0) expect((await perform(whole)).request).toBeUndefined();
});

it("sends no body and no content type without a payload", async () => {
  const { request } = await perform({});
  expect([request?.method, request?.body, request?.headers.get("content-type")]).toEqual(["POST", null, null]);
});

it.each(["GET", "HEAD", "DELETE", "PUT", "PATCH"])("calls with %s", async (method) => {
  expect((await perform({ method })).request?.method).toBe(method);
});

it("adds the query to the URL's own", async () => {
  const { url } = await perform({
    url: "https://crm.example.com/h?a=1",
    method: "GET",
    query: { b: "x y", c: [1, true] },
  });
  expect(url).toBe("https://crm.example.com/h?a=1&b=x+y&c=1&c=true");
});

it("accepts every 2xx as a success, or exactly the expected statuses", async () => {
  const performs = (status: number, config: JsonObject) =>
    perform(
      config,
      {},
      () => new Response(null, { status, headers: { Location: "https://other.example.com/?code=1" } }),
    );
  expect((await performs(204, {})).outcome).toMatchObject({ ok: true, result: { statusCode: 204, data: null } });
  expect((await performs(404, { expectedStatusCodes: [404] })).outcome).toMatchObject({ ok: true });
  expect((await performs(303, { expectedStatusCodes: [303] })).outcome).toMatchObject({
    ok: true,
    result: { statusCode: 303 },
  });
  expect((await performs(204, { expectedStatusCodes: [200] })).outcome).toMatchObject({
    ok: false,
    error: { type: "unknown_error", retryable: false, code: "http_204" },
  });
});

it.each([
  [{ url: "crm.example.com" }, "url:"],
  [{ method: "post" }, "method:"],
  [{ method: "GET", payload: {} }, "payload:"],
  [{ encoding: "form", payload: { a: { b: null } } }, "payload.a.b:"],
  [{ headers: { Host: "x" } }, "headers.Host:"],
  [{ headers: { "X-A": "a\r\nX-B: b" } }, "headers.X-A:"],
  [{ headers: { "bad name": "a" } }, "headers.bad name:"],
  [{ expectedStatusCodes: ["200"] }, "expectedStatusCodes.0:"],
  [{ expectedStatusCodes: [] }, "expectedStatusCodes:"],
  [{ sign: true }, "sign:"],
  [{ sign: { endpoint: "crm" } }, "sign:"],
  [{ sign: { endpoint: "https://crm.example.com/" } }, "sign.endpoint:"],
  [{ sign: { secret: "too-short" } }, "sign:"],
  [{ url: "https://user:pass@crm.example.com/" }, "url:"],
  [{ paylod: {} }, "paylod:"],
])("refuses %j by field", async (config, named) => {
  const { outcome, request } = await perform(config);
  expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", retryable: false } });
  expect(outcome.ok ? "" : outcome.error.message.slice(0, named.length)).toBe(named);
  expect(request).toBeUndefined();
});

it.each<[string, JsonObject, string]>([
  ["JSON", { payload: { a: 1 } }, '{"a":1}'],
  ["a form", { payload: { a: "1 é", b: [2, 3] }, encoding: "form" }, "a=1+%C3%A9&b=2&b=3"],
  ["a text", { payload: "a=1 é" }, "a=1 é"],
  ["nothing", {}, ""],
])("signs its call as %s, with every secret", async (_, config, text) => {
  const { request } = await perform(config, signedWith(SECRET, OTHER));
  const timestamp = String(NOW / 1000);
  const sent = await request?.clone().text();
  const signature = (secret: string) =>
    `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
      .update(`exe_1/4.0.${timestamp}.${sent}`)
      .digest("base64")}`;
  expect(sent).toBe(text);
  expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
    "webhook-id": "exe_1/4.0",
    "webhook-timestamp": timestamp,
    "webhook-signature": `${signature(SECRET)} ${signature(OTHER)}`,
  });
});

it.each([
  ["its address, without query and fragment", {}, { endpoint: "https://crm.example.com/hooks/7" }],
  ["its address, where it must be signed", { sign: true }, { endpoint: "https://crm.example.com/hooks/7" }],
  ["the name it is given", { sign: { endpoint: "crm" } }, { endpoint: "crm" }],
  ["the key it brings", { sign: { secret: `${SECRET} ${OTHER}` } }, { own: `${SECRET} ${OTHER}` }],
])("requests the receiver's keys by %s", async (_, config, by) => {
  const asked: unknown[] = [];
  const signing: World["signing"] = async (each) => (asked.push(each), { ok: true, secrets: [SECRET] });
  await perform({ url: "https://CRM.example.com:443/hooks/7?a=1#b", query: { c: 2 }, ...config }, { signing });
  expect(asked).toEqual([by]);
});

it("sends nothing if the signing keys are unavailable", async () => {
  const error = { type: "service_unavailable", message: "not now", retryable: true, code: "catalog_unavailable" };
  const { outcome, request } = await perform({}, { signing: async () => ({ ok: false, failure: { error } }) });
  expect([outcome, request]).toMatchObject([{ ok: false, error }, undefined]);
});

it("does not sign if the config disables it or there is no secret", async () => {
  const signatureOf = async (config: JsonObject, ...secrets: string[]) =>
    (await perform(config, signedWith(...secrets))).request?.headers.get("webhook-signature");
  expect(await signatureOf({ sign: false }, SECRET)).toBeNull();
  expect(await signatureOf({})).toBeNull();
});

it("reports an invalid signing secret without showing it", async () => {
  const { outcome } = await perform({}, signedWith("whsec_not*base64"));
  expect(outcome).toMatchObject({ ok: false, error: { code: "signing_secret_invalid", retryable: false } });
  expect(JSON.stringify(outcome)).not.toContain("not*base64");
});

it("calls loopback over http in local development", async () => {
  const { outcome, url } = await perform({ url: "http://127.0.0.1:8787/sink" }, { allowLoopback: true });
  expect([outcome.ok, url]).toEqual([true, "http://127.0.0.1:8787/sink"]);
});
