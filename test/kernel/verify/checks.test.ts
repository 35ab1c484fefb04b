// Checks of a large definition run in parts, so that other requests are served between them.
import { expect, test } from "vitest";
import type { Computation } from "#kernel/computing/computation.ts";
import { verifyInParts } from "#kernel/verify/definition.ts";
import { warningsInParts } from "#kernel/verify/warnings.ts";
import { definition } from "#schema/definition/definition.ts";
import { COMPUTATION_SLICE_UNITS } from "#schema/limits/isolates/computations.ts";

const text = (n: number) => ({
  url: "https://example.com",
  body: `{{ execution.variables.v${n} }} ${"x".repeat(1_000)}`,
});
const actions = Array.from({ length: 200 }, (_, n) => ({
  actionId: `a${n}`,
  triggerState: "a",
  type: "webhook",
  config: text(n),
}));
const large = definition.parse({ kind: "machine", name: "large", initial: "a", states: { a: {} }, actions });
const small = definition.parse({ kind: "machine", name: "small", initial: "a", states: { a: { type: "final" } } });

function unitsOf(computation: Computation<unknown>): readonly number[] {
  return [...computation];
}

test("a large definition is checked in slices, each text with few others", () => {
  const [found, warned] = [unitsOf(verifyInParts(large)), unitsOf(warningsInParts(large))];
  expect([found, warned].map((units) => units.filter((each) => each > COMPUTATION_SLICE_UNITS / 2).length > 4)).toEqual(
    [true, true],
  );
  expect(warned.filter((each) => each > 0).length).toBeGreaterThan(3 * 12);
});

test("a small definition is checked within a slice", () => {
  const units = [...unitsOf(verifyInParts(small)), ...unitsOf(warningsInParts(small))];
  expect(units.reduce((sum, each) => sum + each, 0)).toBeLessThan(COMPUTATION_SLICE_UNITS);
});
