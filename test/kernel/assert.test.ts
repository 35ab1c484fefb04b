import { expect, test } from "vitest";
import { assert } from "#kernel/assert.ts";

test("what holds passes", () => {
  expect(assert(1, "One counts as true.")).toBeUndefined();
});

test("what does not hold throws its sentence", () => {
  expect(() => assert(0, "Zero counts as false.")).toThrow("Zero counts as false.");
});
