// Who comes when: the earliest first, and of one instant in the order in which they were put in. A heap, since there are
// very many, and each comes again and again.

export type Turns<Item> = {
  readonly put: (at: number, item: Item) => void;
  /** null: nobody is left. */
  readonly takeFirst: () => Item | null;
};
type Place<Item> = { readonly at: number; readonly order: number; readonly item: Item };

export function openTurns<Item>(): Turns<Item> {
  const places: Place<Item>[] = [];
  let orders = 0;
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [places[a], places[b]];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  };
  const swap = (a: number, b: number): void => {
    const [one, other] = [places[a], places[b]];
    if (one !== undefined) places[b] = one;
    if (other !== undefined) places[a] = other;
  };
  const sink = (from: number): void => {
    for (let at = from; ;) {
      const left = 2 * at + 1;
      const least = isBefore(left + 1, left) ? left + 1 : left;
      if (!isBefore(least, at)) return;
      swap(least, at);
      at = least;
    }
  };
  return {
    put: (at, item) => {
      places.push({ at, order: orders++, item });
      for (let place = places.length - 1; place > 0;) {
        const above = (place - 1) >> 1;
        if (!isBefore(place, above)) return;
        swap(place, above);
        place = above;
      }
    },
    takeFirst: () => {
      const [first] = places;
      if (first === undefined) return null;
      const last = places.pop();
      if (last !== undefined && last !== first) {
        places[0] = last;
        sink(0);
      }
      return first.item;
    },
  };
}
