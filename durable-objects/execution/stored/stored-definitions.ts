// Stored definitions: the definitions that a cell stores beside its executions, each definition once. Their keys are
// cached in memory, so that a start knows without a read whether it must contain the definition.
import {
  STORED_VERSIONS_CACHED_MAX,
  PACKED_DEFINITIONS_CACHED_CHARS,
} from "#schema/limits/isolates/compiled-caches.ts";
import type { CellStorage } from "../storage.ts";
import { openWeightedCache } from "../weighted-cache.ts";
import { packBody, unpackBody, type PackedBody } from "./packing.ts";

/** Definitions are in the table of executions. No execution id contains a colon, so their names cannot collide. */
const PREFIX = "definition:";

type StoredDefinitions = Pick<CellStorage, "hasDefinition" | "readDefinition" | "writeDefinition"> & {
  /** Clears the cached keys, after the writes were rolled back or the storage was deleted. */
  readonly forgetDefinitions: () => void;
};

const packedTexts = openWeightedCache<PackedBody>(PACKED_DEFINITIONS_CACHED_CHARS);

/**
 * Packs a text. The isolate caches the result for all its objects of standalone executions with the same definition.
 */
export function packOnce(text: string): PackedBody {
  const cached = packedTexts.get(text);
  if (cached !== undefined) return cached;
  const body = packBody(text);
  packedTexts.set(text, body, text.length);
  return body;
}

export function storedDefinitions(
  bodyOf: (name: string, page: number) => PackedBody | null,
  write: (name: string, text: string) => void,
): StoredDefinitions {
  const read = (key: string): string | null => {
    const body = bodyOf(PREFIX + key, 0);
    return body === null ? null : unpackBody(body);
  };
  const storedKeys = new Set<string>();
  const cacheKey = (key: string): void => {
    if (storedKeys.size >= STORED_VERSIONS_CACHED_MAX) storedKeys.clear();
    storedKeys.add(key);
  };
  return {
    hasDefinition: (key) => {
      if (storedKeys.has(key)) return true;
      if (read(key) === null) return false;
      cacheKey(key);
      return true;
    },
    readDefinition: read,
    writeDefinition: (key, text) => {
      write(PREFIX + key, text);
      cacheKey(key);
    },
    forgetDefinitions: () => storedKeys.clear(),
  };
}
