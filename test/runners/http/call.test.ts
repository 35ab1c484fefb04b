// Tests of the HTTP call: the stored part of an answer, and released connections.
import { describe, expect, it } from "vitest";
import { send, type HttpCall } from "#runners/http/call.ts";
import type { RunnerContext } from "#runners/core/runner.ts";
import { RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import { cutOff, hangs, jsonResponse, ticketFor, world, type Answer } from "#test/runners/world.ts";

type Over = { readonly call?: Partial<HttpCall>; readonly signal?: AbortSignal };

function ask(answer: Answer, { call = {}, signal = new AbortController().signal }: Over = {}) {
  const fetch: RunnerContext["fetch"] = async (url, init) => answer({ url, init, request: new Request(url) });
  const context: RunnerContext = { ...world(answer), ticket: ticketFor("webhook", {}), fetch, signal };
  return send({ method: "POST", url: "https://example.com/x", headers: new Headers(), body: null, ...call }, context);
}

/** A body of this many bytes in small pieces, which records whether it was canceled. */
function watched(bytes: number, type = "text/plain") {
  const seen = { cancelled: false, sent: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (seen.sent >= bytes) return controller.close();
      controller.enqueue(new TextEncoder().encode("x".repeat(1_000)));
      seen.sent += 1_000;
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { seen, response: () => new Response(body, { headers: { "Content-Type": type } }) };
}

it.each([
  ["application/json", '{"a":1}', { a: 1 }],
  ["application/problem+json; charset=utf-8", '{"a":1}', { a: 1 }],
  ["application/json", "{", "{"],
  ["application/json", "", null],
  ["text/html", "<p>", "<p>"],
  ["application/xml", "<p/>", "<p/>"],
  ["image/png", "PNG", null],
  ["application/octet-stream", "..", null],
])("stores a body of type %s (%s) as %j", async (type, text, data) => {
  const answer = await ask(() => new Response(text, { headers: { "Content-Type": type } }));
  expect(answer).toMatchObject({ ok: true, data, stored: { data, truncated: false } });
});

it("stores the first part of a long body and cancels the rest", async () => {
  const long = watched(1_000_000);
  const answer = await ask(long.response);
  const data = "x".repeat(RESPONSE_BYTES_KEPT);
  expect(answer).toMatchObject({ ok: true, incomplete: null, stored: { data, truncated: true } });
  expect(long.seen.cancelled).toBe(true);
  expect(long.seen.sent).toBeLessThan(40_000);
});

it("stores no partial character", async () => {
  const answer = await ask(() => new Response("é".repeat(RESPONSE_BYTES_KEPT)));
  expect(answer).toMatchObject({ ok: true, data: "é".repeat(RESPONSE_BYTES_KEPT / 2) });
});

it("does not read the body of a type that is not stored", async () => {
  const picture = watched(1_000_000, "image/png");
  await ask(picture.response);
  expect(picture.seen.cancelled).toBe(true);
  expect(picture.seen.sent).toBeLessThan(3_000);
});

it("reports the status of a refusal even if its body breaks off", async () => {
  const answer = await ask(() => cutOff("{", "breaks", { status: 401 }));
  expect(answer).toMatchObject({ ok: false, error: { type: "authentication_failed", details: { status: 401 } } });
});

it("stores a short part of a refusal's body, without credentials", async () => {
  const said = `wrong token=abcdef ${"y".repeat(3_000)}`;
  const answer = await ask(() => new Response(said, { status: 400 }));
  if (answer.ok) throw new Error("a 400 is no success");
  const body = String(answer.error.details?.["body"]);
  expect(body).toMatch(/^wrong token=\[redacted\] y+$/);
  expect(body).toHaveLength(1024);
});

it("stores no part of a secret at a cut", async () => {
  const headers = new Headers({ "X-Api-Key": "abcdefghijklmnop" });
  const said = `${"z".repeat(RESPONSE_BYTES_KEPT - 10)}abcdefghijklmnop`;
  const answer = await ask(() => new Response(said), { call: { headers } });
  expect(JSON.stringify(answer)).not.toContain("abcd");
});

it("stores useful response headers, redacted", async () => {
  const headers = {
    "Set-Cookie": "a=b",
    Server: "x",
    "X-RateLimit-Remaining": "3",
    "Retry-After": "1",
    Location: "https://example.com/y?token=abcdef",
    ETag: '"1"',
    "X-Request-Id": "r1",
  };
  const answer = await ask(() => jsonResponse({}, { headers }));
  expect(answer).toMatchObject({
    headers: {
      "content-type": "application/json",
      "x-ratelimit-remaining": "3",
      "retry-after": "1",
      location: "https://example.com/y?token=[redacted]",
      etag: '"1"',
      "x-request-id": "r1",
    },
  });
  expect(JSON.stringify(answer)).not.toMatch(/set-cookie|server/);
});

it("does not treat an authentication scheme's name as a secret", async () => {
  const headers = new Headers({ Authorization: "Bearer abcdefgh", Cookie: "theme=dark; sid=123456789" });
  const answer = await ask(() => jsonResponse({ scheme: "Bearer", theme: "dark", sid: "123456789" }), {
    call: { headers },
  });
  expect(answer).toMatchObject({ data: { scheme: "Bearer", theme: "dark", sid: "[redacted]" } });
});

it("makes no call if its signal is aborted", async () => {
  let called = false;
  const signal = AbortSignal.abort();
  const answer = await ask(() => ((called = true), jsonResponse({})), { signal });
  expect([called, answer]).toMatchObject([false, { ok: false, error: { type: "timeout" } }]);
});

it("stops waiting for headers when its signal aborts", async () => {
  const controller = new AbortController();
  const asked = ask(hangs, { signal: controller.signal });
  queueMicrotask(() => controller.abort());
  expect(await asked).toMatchObject({ ok: false, error: { type: "timeout", retryable: true, effect: "unknown" } });
});

describe("a broken connection", () => {
  const broken =
    (error: Error): Answer =>
    () => {
      throw error;
    };
  const because = (code: string, message: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });

  it.each([
    [because("ECONNREFUSED", "connect ECONNREFUSED 192.0.2.1:443"), "connect ECONNREFUSED 192.0.2.1:443", false],
    [because("ENOTFOUND", "getaddrinfo ENOTFOUND example.com"), "ENOTFOUND example.com", true],
    [because("EAI_AGAIN", "getaddrinfo EAI_AGAIN example.com"), "EAI_AGAIN example.com", true],
    [new Error("internal error; reference = abc"), "internal error; reference = abc", true],
  ])("is reported with its cause: %s", async (error, cause, explained) => {
    const { error: said } = (await ask(broken(error))) as { error: { message: string } };
    expect(said.message).toMatch(/^POST example\.com\/x\b/);
    expect(said.message).toContain(cause);
    expect(said.message.endsWith(cause)).toBe(!explained);
  });

  it.each([
    ["https://example.com:8443/orders/17?token=abcdef", {}, "POST example.com:8443/orders/17: "],
    ["https://example.com/", {}, "POST example.com: "],
    ["https://example.com/T0/B0/abcdef-secret", { secrets: ["abcdef-secret"] }, "POST example.com/T0/B0/[redacted]: "],
    [`https://example.com/${"x".repeat(1_000)}`, {}, `POST example.com/${"x".repeat(255)}…: `],
  ])("at %s is reported with port and path, and without secrets", async (url, call, told) => {
    const refusal = (await ask(broken(new Error("x")), { call: { url, ...call } })) as { error: { message: string } };
    expect(refusal.error.message.startsWith(told)).toBe(true);
    expect(refusal.error.message).not.toContain("abcdef");
  });
});

it("returns a refusal's answer to its runner, without the call's secrets", async () => {
  const headers = new Headers({ "X-RateLimit-Reset": "9", Server: "x" });
  const refuses: Answer = () =>
    jsonResponse({ code: 7, path: "/hooks/abcdef" }, { status: 400, headers: Object.fromEntries(headers) });
  const answer = await ask(refuses, { call: { secrets: ["/hooks/abcdef"] } });
  expect(answer).toMatchObject({
    ok: false,
    answered: { status: 400, data: { code: 7, path: "[redacted]" }, headers: { "x-ratelimit-reset": "9" } },
  });
  expect(await ask(hangs, { signal: AbortSignal.abort() })).toMatchObject({ ok: false, answered: null });
});

it.each([
  ["says who calls", {}, "Escapement/1"],
  ["lets a caller name itself", { "user-agent": "acme/2" }, "acme/2"],
])("%s", async (_, headers, agent) => {
  const sent: (string | null)[] = [];
  const own = new Headers(headers);
  await ask(({ init }) => (sent.push(new Headers(init.headers).get("User-Agent")), new Response()), {
    call: { headers: own },
  });
  expect(sent).toEqual([agent]);
  expect(Object.fromEntries(own)).toEqual(headers);
});
