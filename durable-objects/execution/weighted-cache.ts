// Weighted LRU cache: recently used values up to a total weight. A count would let a few large ones fill an isolate's
// memory.

export type WeightedCache<Value> = {
  readonly get: (key: string) => Value | undefined;
  /** A value heavier than the total limit is not cached. */
  readonly keep: (key: string, value: Value, weight: number) => void;
  readonly forget: (key: string) => void;
  /** undefined if not cached. */
  readonly weightOf: (key: string) => number | undefined;
};

type Kept<Value> = { readonly value: Value; readonly weight: number };

export function openWeightedCache<Value>(weightMax: number): WeightedCache<Value> {
  const kept = new Map<string, Kept<Value>>();
  let all = 0;
  /** The most recently used: most often it is read again at once, and need not move. */
  let last: string | null = null;

  const forget = (key: string): void => {
    all -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
    if (key === last) last = null;
  };

  return {
    get: (key) => {
      const found = kept.get(key);
      if (!found || key === last) return found?.value;
      kept.delete(key);
      kept.set(key, found);
      last = key;
      return found.value;
    },
    keep: (key, value, weight) => {
      forget(key);
      if (weight > weightMax) return;
      kept.set(key, { value, weight });
      last = key;
      all += weight;
      for (const oldest of kept.keys()) {
        if (all <= weightMax) return;
        forget(oldest);
      }
    },
    forget,
    weightOf: (key) => kept.get(key)?.weight,
  };
}
