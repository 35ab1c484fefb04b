import { expect, it } from "vitest";
import { shouldWaitForGroup } from "#policy/gates/group-commit.ts";

it.each([
  { who: "the first call in a cell where nothing is under way", inFlight: 0, recentExecutions: 1, waits: false },
  { who: "the next of somebody who starts one after the other", inFlight: 0, recentExecutions: 2, waits: false },
  { who: "an outcome of the only call under way", inFlight: 1, recentExecutions: 1, waits: false },
  { who: "whoever comes while two calls are under way", inFlight: 2, recentExecutions: 1, waits: true },
  { who: "the third execution within a moment, in whatever lane", inFlight: 0, recentExecutions: 3, waits: true },
])("$who waits for others, or not: with $inFlight in flight and $lately executions lately", (one) => {
  const { inFlight, recentExecutions, waits } = one;
  expect(shouldWaitForGroup({ inFlight, recentExecutions })).toBe(waits);
});
