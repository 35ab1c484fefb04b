// Some hundreds of random machines beside XState's own actor; `npm run machines -- 100000` walks further.
import { expect, test } from "vitest";
import { compareMachines } from "./compare-machines.ts";

const EACH = 60;

test.each([0, 60, 120, 180, 240])("random machines from %i do what XState's own actor does", (first) => {
  const compared = Array.from({ length: EACH }, (_, index) => compareMachines(first + index));
  // Most of them live through most of their inputs, or nothing would have been compared.
  expect(compared.filter((inputs) => inputs > 5).length).toBeGreaterThan(EACH / 2);
});

// Regions of unequal depth asked in the wrong order; a way back to a history further inside.
test.each([441, 1055])("machine %i, which once did otherwise", (seed) => {
  expect(compareMachines(seed)).toBeGreaterThan(5);
});
