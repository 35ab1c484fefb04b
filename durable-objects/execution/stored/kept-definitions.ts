// The definitions that a cell keeps beside its executions, each once. Which ones is remembered, so that a start whose
// definition is there need not bring it, and nobody reads a text to find out.
import { DEFINITIONS_KNOWN_MAX, DEFINITIONS_PACKED_CHARACTERS } from "#schema/limits/objects.ts";
import type { CellStorage } from "../storage.ts";
import { openWeighed } from "../weighed.ts";
import { packed, unpacked, type Packed } from "./packing.ts";

/** In the table of executions, and no execution's id holds a colon. */
const PREFIX = "definition:";

type KeptDefinitions = Pick<CellStorage, "hasDefinition" | "readDefinition" | "writeDefinition"> & {
  /** What was written is taken back, or gone. */
  readonly forgetDefinitions: () => void;
};

const latest = openWeighed<Packed>(DEFINITIONS_PACKED_CHARACTERS);

/** An isolate packs a text once, for all the objects in which an execution of its own brings it along. */
export function packedOnce(text: string): Packed {
  const known = latest.get(text);
  if (known !== undefined) return known;
  const body = packed(text);
  latest.keep(text, body, text.length);
  return body;
}

export function keptDefinitions(
  bodyOf: (name: string, page: number) => Packed | null,
  write: (name: string, text: string) => void,
): KeptDefinitions {
  const read = (key: string): string | null => {
    const body = bodyOf(PREFIX + key, 0);
    return body === null ? null : unpacked(body);
  };
  const known = new Set<string>();
  const remember = (key: string): void => {
    if (known.size >= DEFINITIONS_KNOWN_MAX) known.clear();
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
