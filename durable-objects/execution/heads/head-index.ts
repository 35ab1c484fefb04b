// Head index: which executions are in a cell, and when each must be checked. The keys of the head rows are in memory; a
// large cell keeps only those it needs soon, and reads the others from storage.
import { LOOKUPS_CACHED_MAX } from "#schema/limits/large-cells.ts";
import { openDedupKeys } from "./dedup-keys.ts";
import type { HeadKey } from "./key-rows.ts";
import { openWakeHeap } from "./wake-heap.ts";

export type HeadIndex = {
  readonly get: (execution: string) => HeadKey | undefined;
  /** In memory. */
  readonly has: (execution: string) => boolean;
  readonly keys: () => readonly HeadKey[];
  /** From memory only. */
  readonly forget: (executions: ReadonlySet<string>) => void;
  readonly place: (key: HeadKey) => void;
  readonly remove: (execution: string) => void;
  /** If `work` throws, everything it placed and removed is restored. */
  readonly undoably: (work: () => void) => void;
  readonly due: (now: number, count: number) => readonly string[];
  readonly earliest: () => number | null;
  /** The latest actions with the dedup key of this one's id. */
  readonly sameKey: (execution: string) => readonly string[];
  /** In memory. */
  readonly size: () => number;
};

type Elsewhere = (execution: string) => HeadKey | undefined;

/** `stored` looks up keys that are not in memory. */
export function openHeadIndex(keys: readonly HeadKey[], stored: Elsewhere = () => undefined): HeadIndex {
  const elsewhere = remembering(stored);
  const index = new Map<string, HeadKey>(keys.map((key) => [key.execution, key]));
  const wakes = openWakeHeap(index);
  const keyed = openDedupKeys(index.keys());
  let before: Map<string, HeadKey | undefined> | null = null;

  const note = (execution: string): void => {
    if (before !== null && !before.has(execution)) before.set(execution, index.get(execution));
  };

  const place = (key: HeadKey): void => {
    note(key.execution);
    elsewhere.forget(key.execution);
    const was = index.get(key.execution);
    index.set(key.execution, key);
    if (!was) keyed.add(key.execution);
    if (key.wakeAt !== was?.wakeAt) wakes.moved(key.execution);
  };

  const remove = (execution: string): void => {
    note(execution);
    elsewhere.forget(execution);
    index.delete(execution);
    keyed.remove(execution);
  };

  const undo = (noted: ReadonlyMap<string, HeadKey | undefined>): void => {
    for (const [execution, key] of noted) {
      if (key) place(key);
      else remove(execution);
    }
  };

  return {
    get: (execution) => index.get(execution) ?? elsewhere.find(execution),
    has: (execution) => index.has(execution),
    keys: () => [...index.values()],
    forget: (executions) => {
      for (const execution of executions) {
        index.delete(execution);
        keyed.remove(execution);
      }
    },
    place,
    remove,
    undoably: (work) => {
      const noted = new Map<string, HeadKey | undefined>();
      before = noted;
      try {
        work();
      } catch (fault) {
        before = null;
        undo(noted);
        throw fault;
      } finally {
        before = null;
      }
    },
    due: wakes.due,
    earliest: wakes.earliest,
    sameKey: keyed.latest,
    size: () => index.size,
  };
}

/** A start queries its key half a dozen times. Only this index changes what is stored, so the answer is cached. */
function remembering(stored: Elsewhere): { readonly find: Elsewhere; readonly forget: (execution: string) => void } {
  const found = new Map<string, HeadKey | undefined>();
  return {
    find: (execution) => {
      if (found.has(execution)) return found.get(execution);
      const key = stored(execution);
      if (found.size >= LOOKUPS_CACHED_MAX) found.clear();
      found.set(execution, key);
      return key;
    },
    forget: (execution) => void found.delete(execution),
  };
}
