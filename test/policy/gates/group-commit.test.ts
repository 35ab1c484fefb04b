import { expect, it } from "vitest";
import { shouldWaitForGroup } from "#policy/gates/group-commit.ts";

it.each([
  { who: "the first call of an idle cell", inFlight: 0, recentExecutions: 1, waits: false },
  { who: "the next call of a sequential client", inFlight: 0, recentExecutions: 2, waits: false },
  { who: "the outcome of the only call in progress", inFlight: 1, recentExecutions: 1, waits: false },
  { who: "a call during two calls in progress", inFlight: 2, recentExecutions: 1, waits: true },
  { who: "the third execution of the interval", inFlight: 0, recentExecutions: 3, waits: true },
])("$who with $inFlight in flight and $recentExecutions recent executions: waits is $waits", (one) => {
  const { inFlight, recentExecutions, waits } = one;
  expect(shouldWaitForGroup({ inFlight, recentExecutions })).toBe(waits);
});
