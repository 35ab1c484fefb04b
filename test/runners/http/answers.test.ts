// Tests of successful answers: a broken, endless, too long or invalid body does not change the success. Also tests
// charsets.
import { describe, expect, it } from "vitest";
import { send, type HttpCall } from "#runners/http/call.ts";
import type { RunnerContext } from "#runners/core/runner.ts";
import { ANSWER_BYTES_MAX, ANSWER_DEPTH_MAX, RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import { cutOff, ticketFor, world, type Answer } from "#test/runners/world.ts";

const JSON_TYPE = { headers: { "Content-Type": "application/json" } };

function ask(answer: Answer, call: Partial<HttpCall> = {}, signal = new AbortController().signal) {
  const context: RunnerContext = { ...world(answer), ticket: ticketFor("webhook", {}), signal };
  return send({ method: "POST", url: "https://example.com/x", headers: new Headers(), body: null, ...call }, context);
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const json = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { "Content-Type": "application/json", ...headers } });
const said = (length: number) => JSON.stringify({ first: "x".repeat(length), last: "here" });

describe("a success stays a success", () => {
  it("if its body breaks off", async () => {
    const answer = await ask(() => cutOff('{"sid":', "breaks", { status: 201, ...JSON_TYPE }));
    expect(answer).toMatchObject({ ok: true, status: 201, incomplete: "cut", data: '{"sid":' });
  });

  it("if its body is shorter than declared", async () => {
    const answer = await ask(() => json("[1", { "Content-Length": "10" }));
    expect(answer).toMatchObject({ ok: true, incomplete: "cut", data: "[1" });
  });

  it("if its body does not end in time", async () => {
    const controller = new AbortController();
    const asked = ask(() => cutOff("abc", "hangs"), {}, controller.signal);
    setImmediate(() => controller.abort());
    expect(await asked).toMatchObject({ ok: true, incomplete: "timeout", data: "abc" });
  });

  it("if its body is longer than the limit", async () => {
    const answer = await ask(() => json(said(ANSWER_BYTES_MAX)), { answerBytesMax: ANSWER_BYTES_MAX });
    expect(answer).toMatchObject({ ok: true, incomplete: "too_long", stored: { truncated: true } });
  });

  it("if its body is invalid JSON", async () => {
    expect(await ask(() => json("<html>"))).toMatchObject({ ok: true, incomplete: "not_json", data: "<html>" });
    expect(await ask(() => json('{"a":"\0"}'))).toMatchObject({ ok: true, incomplete: "not_json" });
  });

  it("and numbers that a double cannot represent stay text", async () => {
    const said =
      '{"id":9007199254740993,"list":[1e999,-1e400,1.5,12345678901234567890e-19],"n":9007199254740993e0,"ok":7}';
    const list = ["1e999", "-1e400", 1.5, 1.2345678901234567];
    const data = { id: "9007199254740993", list, n: "9007199254740993e0", ok: 7 };
    expect(await ask(() => json(said))).toMatchObject({ ok: true, data });
  });

  it.each([8_000, 500_000])("if its body nests %i levels", async (depth) => {
    const call = { secrets: ["not-in-there"], answerBytesMax: ANSWER_BYTES_MAX };
    expect(await ask(() => json(nested(depth)), call)).toMatchObject({ ok: true, incomplete: "too_deep" });
  });

  it("and is parsed up to the maximum depth", async () => {
    const answer = await ask(() => json(nested(ANSWER_DEPTH_MAX)), { secrets: ["not-in-there"] });
    expect(answer).toMatchObject({ ok: true, incomplete: null, data: JSON.parse(nested(ANSWER_DEPTH_MAX)) });
  });

  it("and is complete without a body, whatever its headers state", async () => {
    const headers = { "Content-Type": "application/json", "Content-Length": "7" };
    expect(await ask(() => new Response(null, { status: 204, headers }))).toMatchObject({ ok: true, incomplete: null });
    expect(await ask(() => new Response("", { headers }), { method: "HEAD" })).toMatchObject({ incomplete: null });
  });

  it("and is readable if the JSON was complete before the body broke off", async () => {
    const answer = await ask(() => cutOff('{"ok":true}', "breaks", JSON_TYPE));
    expect(answer).toMatchObject({ ok: true, incomplete: "cut", data: { ok: true } });
  });

  it("unless the call only reads and its body broke off: then it is retried", async () => {
    const answer = await ask(() => cutOff('{"token":', "breaks", JSON_TYPE), { reads: true });
    expect(answer).toMatchObject({ ok: false, error: { type: "network_error", retryable: true, effect: "none" } });
    expect(await ask(() => json("<html>"), { reads: true })).toMatchObject({ ok: true, incomplete: "not_json" });
  });
});

describe("a long answer", () => {
  it("is read to its end, and its beginning is stored", async () => {
    const answer = await ask(() => json(said(500_000)), { answerBytesMax: ANSWER_BYTES_MAX });
    expect(answer).toMatchObject({ ok: true, incomplete: null, data: { last: "here" } });
    if (!answer.ok) return;
    expect(answer.stored).toEqual({ data: said(500_000).slice(0, RESPONSE_BYTES_KEPT), truncated: true });
  });

  it("contains no secret in the stored part, and no part of one at the cut", async () => {
    const answer = await ask(() => json(`{"a":["${"z".repeat(RESPONSE_BYTES_KEPT - 20)}abcdefghijklmnop","b"]}`), {
      secrets: ["abcdefghijklmnop"],
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    expect(JSON.stringify(answer)).not.toContain("abcd");
  });
});

describe("an answer in another charset", () => {
  const bytes = (...codes: number[]) => new Uint8Array(codes);
  it.each([
    ["text/plain; charset=iso-8859-1", bytes(0x5a, 0xfc, 0x72, 0x69), "Züri"],
    ["text/plain; charset=windows-1252", bytes(0xe9), "é"],
    ['text/plain; charset="UTF-16LE"', bytes(0x5a, 0, 0xfc, 0), "Zü"],
    ["text/plain; charset=utf-16", bytes(0xfe, 0xff, 0, 0x5a), "Z"],
    ["text/plain; charset=shift_jis", bytes(0x93, 0xfa), "日"],
    ["text/plain; charset=klingon", bytes(0x5a, 0xff), "Z\ufffd"],
    ["text/plain", bytes(0xef, 0xbb, 0xbf, 0x5a), "Z"],
    ["application/json; charset=latin1", bytes(0x22, 0xe9, 0x22), "é"],
  ])("(%s) is decoded", async (type, body, text) => {
    const answer = await ask(() => new Response(body, { headers: { "Content-Type": type } }));
    expect(answer).toMatchObject({ ok: true, data: text, incomplete: null });
  });
});

describe("the effect of a failed call", () => {
  const breaks =
    (code: string, message = code): Answer =>
    () => {
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
    };
  it.each([
    ["the connection was refused", breaks("ECONNREFUSED"), "none"],
    ["there is no such host", breaks("ENOTFOUND"), "none"],
    ["its certificate has expired", breaks("CERT_HAS_EXPIRED"), "none"],
    ["no connection came about in time", breaks("UND_ERR_CONNECT_TIMEOUT"), "none"],
    ["it was reset", breaks("ECONNRESET"), "unknown"],
    ["the other side closed it", breaks("UND_ERR_SOCKET", "other side closed"), "unknown"],
    ["the answer was no HTTP", breaks("HPE_INVALID_CONSTANT"), "unknown"],
    ["it gave up waiting (408)", () => new Response("", { status: 408 }), "unknown"],
    ["a gateway had no answer (502)", () => new Response("", { status: 502 }), "unknown"],
    ["a gateway waited in vain (504)", () => new Response("", { status: 504 }), "unknown"],
    ["a success nobody expected", () => new Response(null, { status: 204 }), "unknown"],
    ["it was too busy (503)", () => new Response("", { status: 503 }), undefined],
    ["it was asked too often (429)", () => new Response("", { status: 429 }), undefined],
  ] as const)("%s: %s", async (_, how, effect) => {
    const answer = await ask(how, { expectedStatusCodes: [200] });
    expect(answer.ok ? null : answer.error.effect).toBe(effect);
  });
  it("is none if the call only reads or was not made", async () => {
    expect(await ask(breaks("ECONNRESET"), { reads: true })).toMatchObject({ error: { effect: "none" } });
    expect(await ask(breaks(""), {}, AbortSignal.abort())).toMatchObject({ error: { effect: "none" } });
  });
});
