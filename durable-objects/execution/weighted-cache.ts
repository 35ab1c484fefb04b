// Weighted LRU cache: recently used values up to a total weight. Values differ in size, so a limit by count could fill
// the isolate's memory.

export type WeightedCache<Value> = {
  readonly get: (key: string) => Value | undefined;
  /** Caches a value. A value heavier than the whole cache is not cached. */
  readonly set: (key: string, value: Value, weight: number) => void;
  readonly delete: (key: string) => void;
  /** Returns the weight of a cached value; undefined if the value is not cached. */
  readonly weightOf: (key: string) => number | undefined;
};

type Entry<Value> = { readonly value: Value; readonly weight: number };

export function openWeightedCache<Value>(weightMax: number): WeightedCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  let totalWeight = 0;
  /** The most recently used key. It is often read several times in succession, and then it is not moved in the map. */
  let last: string | null = null;

  const remove = (key: string): void => {
    totalWeight -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
    if (key === last) last = null;
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry || key === last) return entry?.value;
      entries.delete(key);
      entries.set(key, entry);
      last = key;
      return entry.value;
    },
    set: (key, value, weight) => {
      remove(key);
      if (weight > weightMax) return;
      entries.set(key, { value, weight });
      last = key;
      totalWeight += weight;
      for (const oldest of entries.keys()) {
        if (totalWeight <= weightMax) return;
        remove(oldest);
      }
    },
    delete: remove,
    weightOf: (key) => entries.get(key)?.weight,
  };
}
