import { expect, test } from "vitest";
import { byteLength, sizeOf } from "#kernel/language/size.ts";

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
