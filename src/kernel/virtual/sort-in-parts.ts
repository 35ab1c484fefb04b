// A stable sort of a very long list in parts, with the same result as `toSorted` by number.
import type { Computation } from "../computing/computation.ts";

/** Lists up to this size are sorted at once; longer lists are merged from sorted runs of this size. */
const RUN_ITEMS = 1_000;
const UNITS_AN_ITEM = 2;

export function* sortInParts<Item>(list: readonly Item[], numberOf: (item: Item) => number): Computation<Item[]> {
  // Infinity minus Infinity is NaN: such items are equal.
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

/** Merges two adjacent sorted runs to the end of `merged`. */
function* merge<Item>(
  merged: Item[],
  runs: readonly Item[],
  [start, middle, end]: readonly [number, number, number],
  order: (a: Item, b: Item) => number,
): Computation<void> {
  let [left, right] = [start, middle];
  while (left < middle || right < end) {
    // both indexes are inside the list, or the other run is used up
    const isLeft = right >= end || (left < middle && order(runs[left] as Item, runs[right] as Item) <= 0);
    merged.push(runs[isLeft ? left++ : right++] as Item);
    if (merged.length % RUN_ITEMS === 0) yield RUN_ITEMS * UNITS_AN_ITEM;
  }
}
