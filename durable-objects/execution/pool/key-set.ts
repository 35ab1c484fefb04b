// Key set: which keys other cells have, to limit how many cells must be queried. Exact while there are few; beyond that
// a Bloom filter, which may answer "maybe" for a key that no cell has. The keys are digests, so their letters serve as
// the hash.
import { base32Value } from "#schema/ids.ts";
import { POOL_FILTER_BITS, POOL_KEYS_EXACT_MAX } from "#schema/limits/pool-cells.ts";

export type KeySet = {
  readonly add: (key: string) => void;
  /** True may be "maybe", false is certain. */
  readonly has: (key: string) => boolean;
};

/** Four groups of five letters; the first two letters select the cell, and are the same for all. */
const HASHES_AT = [2, 7, 12, 17] as const;
const LETTERS = 5;

export function openKeySet(): KeySet {
  const exact = new Set<string>();
  let bits: Uint32Array | null = null;

  const mark = (into: Uint32Array, key: string): void => {
    for (const { word, mask } of placesOf(key)) into[word] = (into[word] ?? 0) | mask;
  };

  return {
    add: (key) => {
      if (bits !== null) return mark(bits, key);
      exact.add(key);
      if (exact.size <= POOL_KEYS_EXACT_MAX) return;
      bits = new Uint32Array(POOL_FILTER_BITS / 32);
      for (const each of exact) mark(bits, each);
      exact.clear();
    },
    has: (key) => {
      const marked = bits;
      if (marked === null) return exact.has(key);
      return placesOf(key).every(({ word, mask }) => ((marked[word] ?? 0) & mask) !== 0);
    },
  };
}

function placesOf(key: string): readonly { readonly word: number; readonly mask: number }[] {
  return HASHES_AT.map((at) => {
    let hash = 0;
    for (let letter = at; letter < at + LETTERS; letter++) hash = (hash << 5) | base32Value(key, letter);
    const bit = hash % POOL_FILTER_BITS;
    return { word: bit >> 5, mask: 1 << (bit & 31) };
  });
}
