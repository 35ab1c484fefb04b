import { expect, test } from "vitest";
import { namedDelay } from "#schema/definition/timing.ts";

test.each([
  ["P21D", true],
  [1, true],
  [0, false],
  ["PT0S", false],
  ["-P1D", false],
  ["P401Y", false],
  ["21 days", false],
])("what is past may run within %j: %s", (runWithin, isSound) => {
  expect(namedDelay.safeParse({ ifPast: { runWithin } }).success).toBe(isSound);
});

test("what is past is not asked for more than that", () => {
  expect(namedDelay.safeParse({ ifPast: { runWithin: "P1D", skip: true } }).success).toBe(false);
  expect(namedDelay.safeParse({ ifPast: "never" }).success).toBe(false);
});
