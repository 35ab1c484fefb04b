// Key set: the keys of other cells, which limits how many cells must be queried. It is exact while it is small. A
// larger set is a Bloom filter, which may return true for a key that no cell has. Keys are digests, so the filter takes
// its hashes directly from a key's letters.
import { base32Value } from "#schema/ids.ts";
import { POOL_FILTER_BITS, POOL_KEYS_EXACT_MAX } from "#schema/limits/pool-cells.ts";

export type KeySet = {
  readonly add: (key: string) => void;
  /** Returns false only if no cell has the key. It may return true for a key that no cell has. */
  readonly has: (key: string) => boolean;
};

/**
 * The positions in a key at which the four hashes begin. The first two letters select the cell, so they are equal for
 * all keys.
 */
const HASHES_BEGIN = [2, 7, 12, 17] as const;
const HASH_LETTERS = 5;

export function openKeySet(): KeySet {
  const exact = new Set<string>();
  /** The Bloom filter; null while the set is exact. */
  let filter: Uint32Array | null = null;

  const setBits = (filter: Uint32Array, key: string): void => {
    for (const { word, mask } of bitsOf(key)) filter[word] = (filter[word] ?? 0) | mask;
  };

  return {
    add: (key) => {
      if (filter !== null) return setBits(filter, key);
      exact.add(key);
      if (exact.size <= POOL_KEYS_EXACT_MAX) return;
      filter = new Uint32Array(POOL_FILTER_BITS / 32);
      for (const each of exact) setBits(filter, each);
      exact.clear();
    },
    has: (key) => {
      const words = filter;
      if (words === null) return exact.has(key);
      return bitsOf(key).every(({ word, mask }) => ((words[word] ?? 0) & mask) !== 0);
    },
  };
}

/** Returns the bits of a key in the filter: one for each hash. A letter has five bits. */
function bitsOf(key: string): readonly { readonly word: number; readonly mask: number }[] {
  return HASHES_BEGIN.map((begin) => {
    let hash = 0;
    for (let letter = begin; letter < begin + HASH_LETTERS; letter++) hash = (hash << 5) | base32Value(key, letter);
    const bit = hash % POOL_FILTER_BITS;
    return { word: bit >> 5, mask: 1 << (bit & 31) };
  });
}
