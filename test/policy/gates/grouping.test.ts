import { expect, it } from "vitest";
import { waitsForOthers } from "#policy/gates/grouping.ts";

it.each([
  { who: "the first call in a cell where nothing is under way", inFlight: 0, lately: 1, waits: false },
  { who: "the next of somebody who is alone, soon after the last", inFlight: 0, lately: 2, waits: false },
  { who: "an outcome of the only call under way", inFlight: 1, lately: 1, waits: false },
  { who: "whoever comes while two calls are under way", inFlight: 2, lately: 1, waits: true },
  { who: "the third call within a moment, of whatever lane", inFlight: 0, lately: 3, waits: true },
  { who: "the fifth of an execution that is alone", inFlight: 0, lately: 5, isAlone: true, waits: false },
  { who: "one of several outcomes of an execution that is alone", inFlight: 2, lately: 3, isAlone: true, waits: true },
])("$who waits for others, or not: with $inFlight in flight and $lately calls lately", (one) => {
  const { inFlight, lately, isAlone = false, waits } = one;
  expect(waitsForOthers({ inFlight, lately, isAlone })).toBe(waits);
});
