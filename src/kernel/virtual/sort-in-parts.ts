// A stable sort of a very long list, in parts, so that the computation can pause. The result is that of `toSorted` by
// number.
import type { Computation } from "../computing/computation.ts";

/**
 * A list up to this length is sorted without a pause. A longer list is split into runs of this length, which are sorted
 * and merged.
 */
const RUN_ITEMS = 1_000;
const UNITS_AN_ITEM = 2;

export function* sortInParts<Item>(list: readonly Item[], numberOf: (item: Item) => number): Computation<Item[]> {
  // Infinity minus Infinity is NaN. `|| 0` replaces it, because two infinite items are equal.
  const order = (a: Item, b: Item): number => numberOf(a) - numberOf(b) || 0;
  let sorted: Item[] = [];
  for (let at = 0; at < list.length; at += RUN_ITEMS) {
    sorted.push(...list.slice(at, at + RUN_ITEMS).sort(order));
    yield RUN_ITEMS * UNITS_AN_ITEM;
  }
  for (let width = RUN_ITEMS; width < list.length; width *= 2) {
    const merged: Item[] = [];
    for (let at = 0; at < list.length; at += 2 * width) {
      yield* merge(
        merged,
        sorted,
        [at, Math.min(at + width, list.length), Math.min(at + 2 * width, list.length)],
        order,
      );
    }
    sorted = merged;
  }
  return sorted;
}

/** Merges two adjacent sorted runs and appends them to `merged`. */
function* merge<Item>(
  merged: Item[],
  runs: readonly Item[],
  [start, middle, end]: readonly [number, number, number],
  order: (a: Item, b: Item) => number,
): Computation<void> {
  let [left, right] = [start, middle];
  while (left < middle || right < end) {
    // An index beyond its run is never read: either both are inside, or one run is used up.
    const isLeft = right >= end || (left < middle && order(runs[left] as Item, runs[right] as Item) <= 0);
    merged.push(runs[isLeft ? left++ : right++] as Item);
    if (merged.length % RUN_ITEMS === 0) yield RUN_ITEMS * UNITS_AN_ITEM;
  }
}
