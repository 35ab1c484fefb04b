// Head index: which executions a cell has, and when each must be checked. It has the keys of the head rows in memory. A
// large cell has only the keys that it needs soon in memory, and reads the others from storage.
import { LOOKUPS_CACHED_MAX } from "#schema/limits/large-cells.ts";
import { openDedupKeys } from "./dedup-keys.ts";
import type { HeadKey } from "./key-rows.ts";
import { openWakeHeap } from "./wake-heap.ts";

export type HeadIndex = {
  /** Returns the key of an execution, from memory or storage; undefined if the cell does not have it. */
  readonly get: (execution: string) => HeadKey | undefined;
  /** True if the execution is in memory. */
  readonly has: (execution: string) => boolean;
  /** Returns the keys in memory. */
  readonly keys: () => readonly HeadKey[];
  /** Removes executions from memory; their rows stay. */
  readonly evict: (executions: ReadonlySet<string>) => void;
  /** Adds or replaces a key in memory. */
  readonly setKey: (key: HeadKey) => void;
  readonly remove: (execution: string) => void;
  /** Runs `work`. If it throws, restores every key that it set or removed. */
  readonly withRollback: (work: () => void) => void;
  readonly due: (now: number, count: number) => readonly string[];
  readonly earliest: () => number | null;
  /** Returns the latest actions in memory that have the same dedup key as this id. */
  readonly sameDedupKey: (execution: string) => readonly string[];
  /** Returns the number of executions in memory. */
  readonly size: () => number;
};

type KeyLookup = (execution: string) => HeadKey | undefined;

/** `stored` looks up a key that is not in memory. */
export function openHeadIndex(keys: readonly HeadKey[], stored: KeyLookup = () => undefined): HeadIndex {
  const lookups = cachedLookups(stored);
  const index = new Map<string, HeadKey>(keys.map((key) => [key.execution, key]));
  const wakes = openWakeHeap(index);
  const dedupKeys = openDedupKeys(index.keys());
  /**
   * The previous keys of the executions that the current `withRollback` has changed; null outside of `withRollback`.
   */
  let keysBefore: Map<string, HeadKey | undefined> | null = null;

  const noteBefore = (execution: string): void => {
    if (keysBefore !== null && !keysBefore.has(execution)) keysBefore.set(execution, index.get(execution));
  };

  const place = (key: HeadKey): void => {
    noteBefore(key.execution);
    lookups.forget(key.execution);
    const previous = index.get(key.execution);
    index.set(key.execution, key);
    if (!previous) dedupKeys.add(key.execution);
    if (key.wakeAt !== previous?.wakeAt) wakes.wakeChanged(key.execution);
  };

  const remove = (execution: string): void => {
    noteBefore(execution);
    lookups.forget(execution);
    index.delete(execution);
    dedupKeys.remove(execution);
  };

  const restore = (noted: ReadonlyMap<string, HeadKey | undefined>): void => {
    for (const [execution, key] of noted) {
      if (key) place(key);
      else remove(execution);
    }
  };

  return {
    get: (execution) => index.get(execution) ?? lookups.find(execution),
    has: (execution) => index.has(execution),
    keys: () => [...index.values()],
    evict: (executions) => {
      for (const execution of executions) {
        index.delete(execution);
        dedupKeys.remove(execution);
      }
    },
    setKey: place,
    remove,
    withRollback: (work) => {
      const noted = new Map<string, HeadKey | undefined>();
      keysBefore = noted;
      try {
        work();
      } catch (fault) {
        keysBefore = null;
        restore(noted);
        throw fault;
      } finally {
        keysBefore = null;
      }
    },
    due: wakes.due,
    earliest: wakes.earliest,
    sameDedupKey: dedupKeys.latest,
    size: () => index.size,
  };
}

/** Caches lookups, because one start looks up its key about six times. Only this index changes the stored keys. */
function cachedLookups(stored: KeyLookup): { readonly find: KeyLookup; readonly forget: (execution: string) => void } {
  const cached = new Map<string, HeadKey | undefined>();
  return {
    find: (execution) => {
      if (cached.has(execution)) return cached.get(execution);
      const key = stored(execution);
      if (cached.size >= LOOKUPS_CACHED_MAX) cached.clear();
      cached.set(execution, key);
      return key;
    },
    forget: (execution) => void cached.delete(execution),
  };
}
