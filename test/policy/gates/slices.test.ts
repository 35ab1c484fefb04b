import { expect, it } from "vitest";
import { paceAfter, sliceSize } from "#policy/gates/slices.ts";
import { DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS_MAX, DUE_SLICE_MS } from "#schema/limits/due-work.ts";

it.each([
  { when: "the pace is unknown", eachMs: null, size: DUE_SLICE_EXECUTIONS },
  { when: "an execution takes half a millisecond", eachMs: 0.5, size: 2 * DUE_SLICE_MS },
  { when: "the clock did not move", eachMs: 0, size: DUE_SLICE_EXECUTIONS_MAX },
  { when: "an execution takes very little time", eachMs: 0.001, size: DUE_SLICE_EXECUTIONS_MAX },
  { when: "an execution takes longer than a slice may", eachMs: 1_000, size: DUE_SLICE_EXECUTIONS },
])("$size share a turn when $when", ({ eachMs, size }) => {
  expect(sliceSize(eachMs)).toBe(size);
});

it.each([
  { what: "a slice", size: 100, tookMs: 20, eachMs: 0.2 },
  { what: "a clock that was set back", size: 100, tookMs: -20, eachMs: 0 },
  { what: "a small slice, which is ignored", size: DUE_SLICE_EXECUTIONS - 1, tookMs: 500, eachMs: 7 },
])("after $what an execution is assumed to take $eachMs ms", ({ size, tookMs, eachMs }) => {
  expect(paceAfter(7, { size, tookMs })).toBe(eachMs);
});
