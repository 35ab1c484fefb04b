// Heads kept parsed, the ones lately in use: a sleeping execution beyond these costs only its place in the index. The cells of
// an isolate share its memory, and so they share what may be kept.
import { HEAD_CHARACTERS_LEAST, HEADS_CACHED_CHARACTERS } from "#schema/limits/objects.ts";
import type { Head } from "../storage.ts";
import { openWeighed } from "../weighed.ts";

export type HeadCache = {
  readonly get: (execution: string) => Head | undefined;
  /** `characters`: of the text that it is stored as. */
  readonly keep: (head: Head, characters: number) => void;
  readonly forget: (execution: string) => void;
  /** As it was kept; undefined: it is not. */
  readonly charactersOf: (execution: string) => number | undefined;
};

const heads = openWeighed<Head>(HEADS_CACHED_CHARACTERS);
let caches = 0;

export function openHeadCache(): HeadCache {
  // An object that comes back has a cache of its own, and nothing of its earlier life's.
  caches += 1;
  const mine = `${caches}/`;
  return {
    get: (execution) => heads.get(mine + execution),
    keep: (head, characters) => heads.keep(mine + head.state.id, head, Math.max(characters, HEAD_CHARACTERS_LEAST)),
    forget: (execution) => heads.forget(mine + execution),
    charactersOf: (execution) => heads.weightOf(mine + execution),
  };
}
