// Head cache: recently used heads, parsed. A sleeping execution outside the cache only needs its index entry. The cells
// of an isolate share its memory, so they share the cache's limit.
import { HEADS_CACHED_CHARS, HEAD_WEIGHT_MIN } from "#schema/limits/isolates/compiled-caches.ts";
import type { Head } from "../storage.ts";
import { openWeightedCache } from "../weighted-cache.ts";

export type HeadCache = {
  readonly get: (execution: string) => Head | undefined;
  /** `characters`: the length of its stored text. */
  readonly keep: (head: Head, characters: number) => void;
  readonly forget: (execution: string) => void;
  /** As cached; undefined if it is not cached. */
  readonly charactersOf: (execution: string) => number | undefined;
};

const heads = openWeightedCache<Head>(HEADS_CACHED_CHARS);
let caches = 0;

export function openHeadCache(): HeadCache {
  // An object that is loaded again has its own cache, without entries of an earlier instance.
  caches += 1;
  const mine = `${caches}/`;
  return {
    get: (execution) => heads.get(mine + execution),
    keep: (head, characters) => heads.keep(mine + head.state.id, head, Math.max(characters, HEAD_WEIGHT_MIN)),
    forget: (execution) => heads.forget(mine + execution),
    charactersOf: (execution) => heads.weightOf(mine + execution),
  };
}
