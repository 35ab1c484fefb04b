// Some hundreds of random machines compared with XState's own actor; `npm run machines -- 100000` runs more.
import { expect, test } from "vitest";
import { compareMachines } from "./compare-machines.ts";

const EACH = 60;

test.each([
  [0, "mixed"],
  [60, "mixed"],
  [120, "mixed"],
  [180, "mixed"],
  [0, "returning"],
  [60, "returning"],
  [120, "returning"],
] as const)("random machines from %i (%s) do what XState's own actor does", (first, style) => {
  const compared = Array.from({ length: EACH }, (_, index) => compareMachines(first + index, style));
  // Most machines accept most of their inputs, so that something was compared.
  expect(compared.filter((inputs) => inputs > 5).length).toBeGreaterThan(EACH / 2);
});

// Regions of unequal depth evaluated in the wrong order; history transitions that meet another transition: into the
// same region, around it, and out of the state whose history it is.
test.each([
  [441, "mixed"],
  [1055, "mixed"],
  [1567, "mixed"],
  [1717, "mixed"],
  [3211, "returning"],
  [4116, "returning"],
  [4921, "returning"],
] as const)("machine %i (%s), which once differed", (seed, style) => {
  expect(compareMachines(seed, style)).toBeGreaterThan(0);
});
