// Head reads: reads heads through a cache. An unreadable head is quarantined, and released when it is readable again.
import { attemptResult } from "../intake.ts";
import type { CellStorage, Head } from "../storage.ts";
import { unpackBody, type PackedBody } from "../stored/packing.ts";
import type { HeadKey } from "./key-rows.ts";
import type { HeadCache } from "./head-cache.ts";
import type { HeadIndex } from "./head-index.ts";
import { headOf } from "./head-text.ts";
import type { Quarantine } from "./quarantine.ts";
import type { ResidentSet } from "./resident-set.ts";

type Parts = {
  readonly storage: CellStorage;
  readonly index: HeadIndex;
  readonly cache: HeadCache;
  readonly quarantine: Quarantine;
  readonly residents: Pick<ResidentSet, "writeResident" | "noteResident">;
  /** Writes all of `work` or nothing, together with an alarm for the earliest wake. */
  readonly writeWithAlarm: (work: () => void) => void;
};

export type HeadReads = {
  /** Returns the head; null if the execution is absent or unreadable. Throws if the store cannot be read. */
  readonly read: (execution: string) => Head | null;
  /** Releases an execution from quarantine, and makes it due immediately. */
  readonly releaseNow: (key: HeadKey) => void;
};

export function openHeadReads({ storage, index, cache, quarantine, residents, writeWithAlarm }: Parts): HeadReads {
  const releaseNow = (key: HeadKey): void => {
    const makeDue = (): void => index.setKey({ ...key, wakeAt: 0 });
    try {
      index.withRollback(() =>
        writeWithAlarm(() => {
          makeDue();
          residents.writeResident([key.execution]);
          quarantine.writeRelease(key.execution);
        }),
      );
      residents.noteResident([key.execution]);
      quarantine.noteReleased(key.execution);
    } catch {
      makeDue(); // the commit of its next step releases it
    }
  };

  const read = (execution: string): Head | null => {
    const cached = cache.get(execution);
    const key = index.get(execution);
    if (cached || !key) return cached ?? null;
    // If the store itself fails, the fault goes to the caller, and no execution is quarantined.
    const body = storage.headBody(execution);
    if (body === null) return null;
    const parsed = attemptResult(() => parsedHead(body));
    if ("fault" in parsed) {
      quarantine.put(execution, "unreadable", parsed.fault);
      return null;
    }
    const { head, characters } = parsed.value;
    cache.set(head, characters);
    if (quarantine.get(execution)?.kind === "unreadable") releaseNow(key);
    return head;
  };

  return { read, releaseNow };
}

function parsedHead(body: PackedBody): { readonly head: Head; readonly characters: number } {
  const text = unpackBody(body);
  return { head: headOf(text), characters: text.length };
}
