import { expect, test } from "vitest";
import { z } from "zod";
import { zodFindings } from "#schema/findings.ts";
import { isJson, json, jsonObject } from "#schema/json.ts";

class Made {
  readonly a = 1;
}

const own = (text: string): unknown => JSON.parse(text);

test.each<[string, unknown]>([
  ["scalars", ["", "a", 0, -1.5, true, false, null]],
  ["lists and objects, empty ones too", { a: [], b: {}, c: [{ d: [1] }], "": 1 }],
  ["names that mean something elsewhere", own('{"constructor":1,"toString":{"prototype":2}}')],
  ["a name that would set the prototype, which is left out", own('{"__proto__":{"a":1},"b":{"__proto__":2}}')],
  ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
  ["nothing at all", undefined],
  ["a field that is not there", { a: undefined }],
  ["a hole in a list", Array(2)],
  ["no number", [Number.NaN]],
  ["a number without end", { a: Number.POSITIVE_INFINITY }],
  ["a big integer", 10n],
  ["a function", () => 1],
  ["a symbol", { a: Symbol("a") }],
  ["an object of a class", { a: new Made() }],
  ["a date", new Date(0)],
  ["bytes", [new Uint8Array(2)]],
])("JSON is what zod takes for it, and comes out alike: %s", (_name, value) => {
  const [ours, zods] = [json.safeParse(value), z.json().safeParse(value)];
  expect(ours.success).toBe(zods.success);
  expect(ours.data).toEqual(zods.data);
  expect(JSON.stringify(ours.data)).toBe(JSON.stringify(zods.data));
  expect(isJson(value)).toBe(ours.success && JSON.stringify(value) === JSON.stringify(ours.data));
});

test("what is missing is said to be missing", () => {
  const parsed = z.strictObject({ rule: json, more: json.optional(), all: jsonObject }).safeParse({ all: {} });
  const found = parsed.error ? zodFindings(parsed.error) : [];
  expect(found).toMatchObject([{ pointer: "/rule", code: "required" }]);
});
