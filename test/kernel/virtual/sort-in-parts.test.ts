// Sorting a very long list in parts.
import { expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { sortInParts } from "#kernel/virtual/sort-in-parts.ts";

type Item = { readonly at: number; readonly n: number };
const at = (item: Item): number => item.at;

/** Few different numbers, so that many are equal. */
function items(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, n) => ({ at: n % 17 === 0 ? Infinity : (n * 7_919) % 1_013, n }));
}

test.each([0, 1, 999, 1_000, 1_001, 2_000, 5_500])(
  "%i items are in the order of toSorted, equal ones as they were",
  (count) => {
    const list = items(count);
    expect(computeAtOnce(sortInParts(list, at))).toEqual(list.toSorted((a, b) => at(a) - at(b) || 0));
  },
);

test("no part handles more than a few thousand items", () => {
  const parts = [...sortInParts(items(50_000), at)];
  expect(parts.length).toBeGreaterThan(50);
  expect(Math.max(...parts)).toBeLessThan(10_000);
});
