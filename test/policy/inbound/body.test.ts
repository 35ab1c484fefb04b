// Tests the parsing of bodies by media type, and unreadable bodies.
import { describe, expect, test } from "vitest";
import { readBody } from "#policy/inbound/body.ts";
import { utf8 } from "#policy/inbound/bytes.ts";
import type { HookRequest } from "#policy/inbound/scheme.ts";
import { BODY_VALUES_MAX } from "#schema/limits/api-requests.ts";

function asked(type: string | null, body: string | Uint8Array): HookRequest {
  const headers = new Map(type === null ? [] : [["content-type", type]]);
  return { method: "POST", url: "https://h.example/", headers, body: typeof body === "string" ? utf8(body) : body };
}

describe("a body", () => {
  test.each<[string | null, string, unknown]>([
    ["application/json", '{"a":1}', { kind: "read", value: { a: 1 }, json: '{"a":1}' }],
    ["application/vnd.github+json; charset=utf-8", "[1]", { kind: "read", value: [1], json: "[1]" }],
    [null, '{"a":1}', { kind: "read", value: { a: 1 }, json: '{"a":1}' }],
    [null, "", { kind: "read", value: null }],
    ["multipart/form-data", "", { kind: "read", value: null }],
    ["text/plain", "{a", { kind: "read", value: "{a" }],
    ["application/xml", "<a/>", { kind: "read", value: "<a/>" }],
    ["application/atom+xml", "<a/>", { kind: "read", value: "<a/>" }],
    ["application/x-www-form-urlencoded", "a=1&b=2&b=3&c", { kind: "read", value: { a: "1", b: ["2", "3"], c: "" } }],
    ["multipart/form-data; boundary=x", "--x", { kind: "unsupported" }],
    ["application/octet-stream", "x", { kind: "unsupported" }],
    [
      "application/json",
      "{a",
      { kind: "unreadable", reason: { code: "malformed_json", message: expect.any(String) }, text: "{a" },
    ],
  ])("of type %j, %j, is read as %j", (type, body, read) => expect(readBody(asked(type, body))).toEqual(read));

  test("that is no UTF-8 or nests too deeply is unreadable", () => {
    expect(readBody(asked("application/json", Uint8Array.of(0x22, 0xff, 0x22)))).toMatchObject({
      kind: "unreadable",
      reason: { code: "text_not_unicode" },
      text: '"\ufffd"',
    });
    expect(readBody(asked("application/json", "[".repeat(201) + "]".repeat(201)))).toMatchObject({
      reason: { code: "too_deep" },
    });
  });

  test("with too many values is unreadable before parsing", () => {
    const values = (count: number) => asked("application/json", `[${'"a,[{",'.repeat(count - 2)}1]`);
    expect(readBody(values(BODY_VALUES_MAX - 1))).toMatchObject({ kind: "read" });
    expect(readBody(values(BODY_VALUES_MAX + 1))).toMatchObject({ reason: { code: "too_many_values" } });
  });

  test("may contain its JSON in a form field", () => {
    const form = (body: string) => asked("application/x-www-form-urlencoded", body);
    const value = { a: 1 };
    expect(readBody(form("payload=%7B%22a%22%3A1%7D"), "payload")).toEqual({ kind: "read", value, json: '{"a":1}' });
    expect(readBody(form("other=1"), "payload")).toEqual({ kind: "read", value: { other: "1" } });
    expect(readBody(form("payload=1&payload=2"), "payload")).toEqual({ kind: "read", value: { payload: ["1", "2"] } });
  });
});
