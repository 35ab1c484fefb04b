// Stored definitions: the definitions that a cell stores beside its executions, each once. Their names are cached, so a
// start whose definition is stored need not send it, and no text is read to find out.
import {
  PACKED_DEFINITIONS_CACHED_CHARS,
  STORED_VERSIONS_CACHED_MAX,
} from "#schema/limits/isolates/compiled-caches.ts";
import type { CellStorage } from "../storage.ts";
import { openWeightedCache } from "../weighted-cache.ts";
import { packBody, unpackBody, type PackedBody } from "./packing.ts";

/** In the table of executions: no execution id contains a colon. */
const PREFIX = "definition:";

type KeptDefinitions = Pick<CellStorage, "hasDefinition" | "readDefinition" | "writeDefinition"> & {
  /** The writes were rolled back, or the storage was deleted. */
  readonly forgetDefinitions: () => void;
};

const latest = openWeightedCache<PackedBody>(PACKED_DEFINITIONS_CACHED_CHARS);

/** An isolate packs a text once, for all objects of standalone executions that send it. */
export function packOnce(text: string): PackedBody {
  const known = latest.get(text);
  if (known !== undefined) return known;
  const body = packBody(text);
  latest.keep(text, body, text.length);
  return body;
}

export function storedDefinitions(
  bodyOf: (name: string, page: number) => PackedBody | null,
  write: (name: string, text: string) => void,
): KeptDefinitions {
  const read = (key: string): string | null => {
    const body = bodyOf(PREFIX + key, 0);
    return body === null ? null : unpackBody(body);
  };
  const known = new Set<string>();
  const remember = (key: string): void => {
    if (known.size >= STORED_VERSIONS_CACHED_MAX) known.clear();
    known.add(key);
  };
  return {
    hasDefinition: (key) => {
      if (known.has(key)) return true;
      if (read(key) === null) return false;
      remember(key);
      return true;
    },
    readDefinition: read,
    writeDefinition: (key, text) => {
      write(PREFIX + key, text);
      remember(key);
    },
    forgetDefinitions: () => known.clear(),
  };
}
