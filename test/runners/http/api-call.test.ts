// Tests of the API call runner: the contract, authentication, mapping, and refused addresses.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import type { JsonObject } from "#schema/json.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { cutOff, jsonResponse, type Answer } from "#test/runners/world.ts";
import { naming } from "#test/support/matchers/naming.ts";

const url = "https://api.example.com/v1/records/7";
const accepts: Answer = () => jsonResponse({ data: { id: 7, tags: ["a", "b"] } });

runnerContract(runners.api_call, {
  goodConfig: { url, method: "PUT", payload: { status: "validated" } },
  answer: accepts,
  withSecret: (secret) => ({ url: `${url}?api_key=${secret}`, authentication: { type: "bearer", token: secret } }),
  withUrl: (elsewhere) => ({ url: elsewhere }),
});

describe("with a service", () => {
  runnerContract(runners.api_call, {
    goodConfig: { service: "external_db", endpoint: "/records/7", method: "PUT", payload: { status: "validated" } },
    answer: accepts,
    connection: {
      baseUrl: "https://api.example.com/v1",
      auth: { type: "basic" },
      credentials: { username: "u", password: "the-password" },
    },
    withCredentials: (secret) => ({ username: "u", password: secret }),
  });
});

const call = (config: JsonObject, answer = accepts, over: Surroundings = {}) =>
  performed("api_call", config, answer, over);
const basic = `Basic ${btoa("ada:secret")}`;

it.each([
  [{ type: "none" }, { authorization: null }],
  [{ type: "basic", username: "ada", password: "secret" }, { authorization: basic }],
  [{ type: "bearer", token: "abc123" }, { authorization: "Bearer abc123" }],
  [{ type: "api_key", key: "k1" }, { "x-api-key": "k1" }],
  [{ type: "api_key", key: "k1", name: "X-Key" }, { "x-key": "k1" }],
])("authenticates by %j", async (authentication, headers) => {
  const { request } = await call({ url, authentication });
  for (const [name, value] of Object.entries(headers)) expect(request?.headers.get(name)).toBe(value);
});

it("sends a form, and redacts its secret from the answer", async () => {
  const config = { url, method: "POST", encoding: "form", payload: { grant: "x", "client secret": "s3cret & more" } };
  const echoes: Answer = async ({ request }) => new Response(await request.clone().text());
  const { outcome, request } = await performed("api_call", config, echoes, { secrets: ["s3cret & more"] });
  expect(await request?.text()).toBe("grant=x&client+secret=s3cret+%26+more");
  expect(request?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
  expect([outcome.ok, JSON.stringify(outcome)]).toEqual([true, expect.not.stringContaining("s3cret")]);
});

it("sends a key in the query, and does not store it", async () => {
  const authentication = { type: "api_key", key: "key-123456", in: "query", name: "appid" };
  const { outcome, url: called } = await call({ url, authentication }, ({ url }) => jsonResponse({ url }));
  expect(called).toBe(`${url}?appid=key-123456`);
  expect(JSON.stringify(outcome)).not.toContain("key-123456");
});

it.each([
  [{ type: "none" }, {}, { authorization: null }],
  [{ type: "basic" }, { username: "ada", password: "secret" }, { authorization: basic }],
  [{ type: "bearer" }, { token: "abc123" }, { authorization: "Bearer abc123" }],
  [{ type: "api_key", header: "X-Key" }, { apiKey: "k1" }, { "x-key": "k1" }],
  [
    { type: "oauth2", grant: "client_credentials", tokenEndpoint: "https://id.example.com/t" },
    {},
    { authorization: "Bearer access-token-1" },
  ],
] as const)("authenticates as the connection defines by %j", async (auth, credentials, headers) => {
  const account = { baseUrl: "https://api.example.com/v1/", auth, credentials };
  const {
    request,
    url: called,
    opened,
  } = await call({ service: "db", endpoint: "/records/7", query: { a: 1 } }, accepts, { account });
  expect([called, opened]).toEqual([`${url}?a=1`, [{ name: "db", provider: "http" }]]);
  for (const [name, value] of Object.entries(headers)) expect(request?.headers.get(name)).toBe(value);
});

it("renews the connection's token once when it is refused, and then fails", async () => {
  const asked: (string | null)[] = [];
  const token = async (refused: string | null) => (
    asked.push(refused),
    { ok: true, token: `t${asked.length}` } as const
  );
  const account = { baseUrl: "https://api.example.com", token };
  const config = { service: "db", authentication: { type: "oauth2" } };
  const stale: Answer = ({ request }) =>
    jsonResponse({}, { status: request.headers.get("authorization") === "Bearer t1" ? 401 : 200 });
  expect((await call(config, stale, { account })).outcome.ok).toBe(true);
  expect(asked).toEqual([null, "t1"]);
  const never = await call(config, () => jsonResponse({}, { status: 401 }), { account });
  expect([never.calls.length, never.outcome]).toMatchObject([
    2,
    { ok: false, error: { type: "authentication_failed" } },
  ]);
});

it("maps fields of the answer into the event", async () => {
  const responseMapping = {
    recordId: "/data/id",
    second: "/data/tags/1",
    all: "",
    gone: "/data/owner",
    trick: "/data/constructor",
    length: "/data/tags/length",
  };
  const { outcome } = await call({ url, responseMapping });
  const data = { data: { id: 7, tags: ["a", "b"] } };
  const mapped = { recordId: 7, second: "b", all: data, gone: null, trick: null, length: null };
  expect(outcome).toMatchObject({
    ok: true,
    events: [{ type: "api_call_completed", payload: { statusCode: 200, mapped, actionId: "notify" } }],
    result: { statusCode: 200, data, mapped },
    metadata: { url, unmapped: ["gone", "trick", "length"] },
  });
});

describe("mapped fields", () => {
  const responseMapping = { last: "/last" };
  const long = (chars: number, last: string) => jsonResponse({ first: "x".repeat(chars), last });

  it.each([17_000, 500_000])(
    "in an answer of %i bytes are found, although only its beginning is stored",
    async (chars) => {
      const { outcome } = await call({ url, responseMapping }, () => long(chars, "here"));
      expect(outcome).toMatchObject({ ok: true, result: { mapped: { last: "here" }, truncated: true } });
      expect(JSON.stringify(outcome).length).toBeLessThan(20_000);
    },
  );

  it("of an answer beyond the limit are not invented", async () => {
    const { outcome } = await call({ url, method: "POST", responseMapping }, () => long(ANSWER_BYTES_MAX, "here"));
    const details = { status: 200, bodyIncomplete: "too_long" };
    const message = naming(ANSWER_BYTES_MAX);
    expect(outcome).toMatchObject({
      error: { code: "answer_unreadable", retryable: false, effect: "unknown", message, details },
    });
  });

  it("of a broken answer are read again only if the call has no effect", async () => {
    const broken = () => cutOff('{"last":', "breaks", { headers: { "Content-Type": "application/json" } });
    const [read, done] = [
      await call({ url, responseMapping }, broken),
      await call({ url, method: "POST", responseMapping }, broken),
    ];
    expect(read.outcome).toMatchObject({ error: { code: "connection", retryable: true, effect: "none" } });
    expect(done.outcome).toMatchObject({ error: { code: "answer_unreadable", retryable: false, effect: "unknown" } });
    expect((await call({ url }, broken)).outcome).toMatchObject({ ok: true, result: { bodyIncomplete: "cut" } });
  });

  it("are limited to an execution's size", async () => {
    const { outcome } = await call({ url, method: "POST", responseMapping }, () => long(1, "x".repeat(17_000)));
    expect(outcome).toMatchObject({ error: { code: "mapped_too_large", retryable: false, effect: "unknown" } });
  });
});

it.each(["/records/../../admin", "/records/%2e%2e/admin", "..\\admin", "/records/..", "/./records"])(
  "refuses the path %s",
  async (endpoint) => {
    const { outcome, calls } = await call({ service: "db", endpoint }, accepts, {
      account: { baseUrl: "https://api.example.com/v1" },
    });
    expect([outcome, calls]).toMatchObject([{ ok: false, error: { code: "invalid_config" } }, []]);
  },
);

it.each(["@evil.example", "//evil.example/x", ".evil.example", ":8443/x"])(
  "stays at the service's host with %s",
  async (endpoint) => {
    const { calls } = await call({ service: "db", endpoint }, accepts, {
      account: { baseUrl: "https://api.example.com" },
    });
    expect(calls.map((each) => new URL(each.url).host)).toEqual(["api.example.com"]);
  },
);

it.each([
  [{}, "url:"],
  [{ url, service: "db" }, "url:"],
  [{ url, endpoint: "/x" }, "endpoint:"],
  [{ url, payload: {} }, "payload:"],
  [{ url, responseMapping: { "a b": "/x" } }, "responseMapping.a b:"],
  [{ url, responseMapping: { a: "x" } }, "responseMapping.a:"],
  [{ url, authentication: { type: "digest" } }, "authentication.type:"],
  [{ url, authentication: { type: "oauth2", clientId: "a" } }, "authentication:"],
  [{ url, authentication: { type: "oauth2", grant: "refresh_token" } }, "authentication.refreshToken:"],
  [{ url, authentication: { type: "oauth2", refreshToken: "r" } }, "authentication.refreshToken:"],
  [{ url, authentication: { type: "oauth2", grant: "password" } }, "authentication.grant:"],
  [{ url, authentication: { type: "bearer", token: "a\nb" } }, "authentication:"],
  [{ service: "db" }, "service:"],
])("refuses %j by field", async (config, named) => {
  const { outcome, calls } = await call(config);
  expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", retryable: false } });
  expect(outcome.ok ? "" : outcome.error.message).toContain(named);
  expect(calls).toEqual([]);
});
