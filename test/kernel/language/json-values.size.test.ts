import { describe, expect, test } from "vitest";
import { byteLength, jsonBytes, roomAfter, jsonBytesAfter, sizeOf } from "#kernel/language/json-values.ts";

test.each([
  ["", 0],
  ["a", 1],
  ["ü", 2],
  ["€", 3],
  ["😀", 4],
  ["aü€😀", 10],
])("%s is %i bytes", (text, bytes) => {
  expect(byteLength(text)).toBe(bytes);
  expect(new TextEncoder().encode(text).byteLength).toBe(bytes);
});

test.each([[null], [true], ["text"], [[]], [[1, 2]], [{}], [{ a: "ü", list: [null, { b: "x" }] }]])(
  "%j is about as big as its JSON",
  (value) => {
    const bytes = byteLength(JSON.stringify(value));
    expect(Math.abs(sizeOf(value) - bytes)).toBeLessThan(12);
  },
);

const long = { text: "€".repeat(500), list: Array.from({ length: 100 }, (_, n) => ({ n })) };

test.each([
  [null],
  [true],
  [false],
  [0],
  [-12.5e30],
  ['a"b\\c\n\u0001\u007f ü€😀'],
  ["lone \ud83d and \ude00 halves"],
  ["at the end \ud83d"],
  [[]],
  [[1, [2], null]],
  [{}],
  [{ a: "ü", 'k"ey': [null, { b: "x" }], absent: undefined }],
  [long],
  [{ again: long, and: [long, long] }],
])("%j is exactly as big as its JSON", (value) => {
  const bytes = new TextEncoder().encode(JSON.stringify(value)).byteLength;
  expect([jsonBytes(value), jsonBytes(value)]).toEqual([bytes, bytes]);
});

test("a measured part is not read again", () => {
  let looks = 0;
  const big = new Proxy({ text: "x".repeat(10_000) }, { get: (of, key) => ((looks += 1), Reflect.get(of, key)) });
  const first = jsonBytes({ big });
  const looked = looks;
  expect([jsonBytes({ big, more: 1 }) - first, looks]).toEqual([9, looked]);
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["the first field", {}, { a: 1 }],
  ["the first two", {}, { a: 1, b: [] }],
  ["another field", { a: 1 }, { 'k"ü': "€" }],
  ["a field replaced", { a: long, b: 2 }, { b: "two", c: null }],
  ["nothing", { a: long }, {}],
])("what has changed is measured alone: %s", (_what, before, part) => {
  const after = { ...before, ...part };
  const bytes = new TextEncoder().encode(JSON.stringify(after)).byteLength;
  expect([jsonBytesAfter(before, after, Object.entries(part)), jsonBytes(after)]).toEqual([bytes, bytes]);
});

describe("a value surely within a size is recognized without reading texts", () => {
  test.each([
    ["plain values", [1, -1.7976931348623157e308, true, null], 200, true],
    ["a short text", "ä", 8, true],
    ["a text whose letters might all be escaped", "aaaa", 20, false],
    ["objects and lists in each other", { a: [{ b: "c" }] }, 60, true],
    ["names count, too", { abcdefghij: 1 }, 40, false],
    ["a list that is too long", Array.from({ length: 100 }, () => 1), 500, false],
    ["an object with too much in it", { a: "x".repeat(100), b: 1 }, 500, false],
  ])("%s", (_what, value, bytes, within) => {
    expect(roomAfter(value, bytes) >= 0).toBe(within);
  });

  test("and never of what takes more", () => {
    for (const text of ["\u0000", "\ud800", "€", "😀", '"', "a"]) {
      const value = { [text]: [text, { text }, 1.5e-300] };
      const bytes = jsonBytes(value);
      expect(roomAfter(value, bytes - 1) >= 0).toBe(false);
    }
  });
});
