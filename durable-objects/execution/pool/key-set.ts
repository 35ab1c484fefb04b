// Which keys other cells have, as far as one must know to ask them about few others: exactly while they are few, and
// beyond as bits, of which some say "maybe" for a key that nobody has. The keys are digests, so their letters are the hash.
import { base32Value } from "#schema/ids.ts";
import { POOL_FILTER_BITS, POOL_KEYS_EXACT_MAX } from "#schema/limits/placement.ts";

export type KeySet = {
  readonly add: (key: string) => void;
  /** True may be "maybe", false is no. */
  readonly has: (key: string) => boolean;
};

/** Four times five letters; the first two say in which cell the key is, and are the same for all. */
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
