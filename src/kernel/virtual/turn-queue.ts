// A priority queue by instant. Entries of one instant are in the order of insertion. It is a heap, because a virtual
// run may have very many entries.
import { assert } from "../assert.ts";

export type TurnQueue<Item> = {
  readonly put: (at: number, item: Item) => void;
  /** Removes and returns the first item; null if the queue is empty. */
  readonly takeFirst: () => Item | null;
};
type QueuedTurn<Item> = { readonly at: number; readonly order: number; readonly item: Item };

export function openTurnQueue<Item>(): TurnQueue<Item> {
  const heap: QueuedTurn<Item>[] = [];
  let orders = 0;
  const placeAt = (n: number): QueuedTurn<Item> => {
    const place = heap[n];
    assert(place, "each position below the heap's size must be filled");
    return place;
  };
  /** The index of the child that comes first in the heap; null if the item has no children. */
  const below = (n: number): number | null => {
    const [left, right] = [2 * n + 1, 2 * n + 2];
    if (right < heap.length) return isBefore(placeAt(right), placeAt(left)) ? right : left;
    return left < heap.length ? left : null;
  };
  const rise = (place: QueuedTurn<Item>, from: number): void => {
    let n = from;
    while (n > 0 && isBefore(place, placeAt((n - 1) >> 1))) {
      heap[n] = placeAt((n - 1) >> 1);
      n = (n - 1) >> 1;
    }
    heap[n] = place;
  };
  const sink = (place: QueuedTurn<Item>): void => {
    let n = 0;
    for (let next = below(n); next !== null && isBefore(placeAt(next), place); next = below(n)) {
      heap[n] = placeAt(next);
      n = next;
    }
    heap[n] = place;
  };
  return {
    put: (at, item) => rise({ at, order: orders++, item }, heap.length),
    takeFirst: () => {
      const last = heap.pop();
      if (last === undefined) return null;
      if (heap.length === 0) return last.item;
      const { item } = placeAt(0);
      sink(last);
      return item;
    },
  };
}

function isBefore(one: QueuedTurn<unknown>, other: QueuedTurn<unknown>): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
