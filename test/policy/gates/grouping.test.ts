import { expect, it } from "vitest";
import { waitsForOthers } from "#policy/gates/grouping.ts";

it.each([
  ["the first call in a cell where nothing is under way", 0, 1, false],
  ["the next of somebody who is alone, soon after the last", 0, 2, false],
  ["an outcome of the only call under way", 1, 1, false],
  ["whoever comes while two calls are under way", 2, 1, true],
  ["the third call within a moment, of whatever lane", 0, 3, true],
])("%s waits for others, or not: with %i in flight and %i calls lately %s", (_, inFlight, lately, waits) => {
  expect(waitsForOthers({ inFlight, lately })).toBe(waits);
});
