// Head reads: heads, read through a cache. An unreadable one is quarantined; if it becomes readable, it is released.
import { attemptResult } from "../intake.ts";
import type { CellStorage, Head } from "../storage.ts";
import { unpackBody, type PackedBody } from "../stored/packing.ts";
import type { HeadKey } from "./key-rows.ts";
import type { HeadCache } from "./head-cache.ts";
import type { HeadIndex } from "./head-index.ts";
import { headOf } from "./head-text.ts";
import type { Quarantine } from "./quarantine.ts";
import type { ResidentSet } from "./resident-set.ts";

function headIn(body: PackedBody): { readonly head: Head; readonly characters: number } {
  const text = unpackBody(body);
  return { head: headOf(text), characters: text.length };
}

type Parts = {
  readonly storage: CellStorage;
  readonly index: HeadIndex;
  readonly cache: HeadCache;
  readonly quarantine: Quarantine;
  readonly roll: Pick<ResidentSet, "list" | "listed">;
  readonly armed: (work: () => void) => void;
};

export type HeadReads = {
  readonly read: (execution: string) => Head | null;
  /** Releases it from quarantine; it is checked at once. */
  readonly goesOn: (key: HeadKey) => void;
};

export function openHeadReads({ storage, index, cache, quarantine, roll, armed }: Parts): HeadReads {
  const goesOn = (key: HeadKey): void => {
    const place = (): void => index.place({ ...key, wakeAt: 0 });
    try {
      index.undoably(() =>
        armed(() => {
          place();
          roll.list([key.execution]);
          quarantine.release(key.execution);
        }),
      );
      roll.listed([key.execution]);
      quarantine.lifted(key.execution);
    } catch {
      place(); // its next commit writes the same
    }
  };

  const read = (execution: string): Head | null => {
    const known = cache.get(execution);
    const key = index.get(execution);
    if (known || !key) return known ?? null;
    // If the store itself cannot be read, the cause passes and no execution is at fault.
    const body = storage.headBody(execution);
    if (body === null) return null;
    const found = attemptResult(() => headIn(body));
    if ("fault" in found) {
      quarantine.put(execution, "unreadable", found.fault);
      return null;
    }
    const { head, characters } = found.value;
    cache.keep(head, characters);
    if (quarantine.of(execution)?.kind === "unreadable") goesOn(key);
    return head;
  };

  return { read, goesOn };
}
