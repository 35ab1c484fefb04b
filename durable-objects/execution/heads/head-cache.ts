// Head cache: recently used heads, parsed. A sleeping execution that is not cached only needs its entry in the index.
// All cells of an isolate share the cache's limit, because they share its memory.
import { HEAD_WEIGHT_MIN, HEADS_CACHED_CHARS } from "#schema/limits/isolates/compiled-caches.ts";
import type { Head } from "../storage.ts";
import { openWeightedCache } from "../weighted-cache.ts";

export type HeadCache = {
  readonly get: (execution: string) => Head | undefined;
  /** Caches a head. `characters`: the length of its stored text. */
  readonly set: (head: Head, characters: number) => void;
  readonly delete: (execution: string) => void;
  /** Returns the length of the stored text, in characters; undefined if the head is not cached. */
  readonly charactersOf: (execution: string) => number | undefined;
};

const heads = openWeightedCache<Head>(HEADS_CACHED_CHARS);
let cachesOpened = 0;

export function openHeadCache(): HeadCache {
  // Each opened cache has its own number. So a restarted object does not read heads that an earlier instance cached.
  cachesOpened += 1;
  const prefix = `${cachesOpened}/`;
  return {
    get: (execution) => heads.get(prefix + execution),
    set: (head, characters) => heads.set(prefix + head.state.id, head, Math.max(characters, HEAD_WEIGHT_MIN)),
    delete: (execution) => heads.delete(prefix + execution),
    charactersOf: (execution) => heads.weightOf(prefix + execution),
  };
}
