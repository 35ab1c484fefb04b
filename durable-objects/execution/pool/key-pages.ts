// Key pages: reads the keys of other cells of the pool, page by page. A cell yields when it returns its first page.
import type { Pool, PoolCell } from "#schema/placement/tenant-pool.ts";
import { openKeySet } from "./key-set.ts";

export type KeyPages = {
  /** Reads the next page of a cell. Resolves with null if the cell has yielded, else with its later pool. */
  readonly read: (other: number, pool: Pool) => Promise<Pool | null>;
  /** Starts a new pass that reads all unread cells again, because cells may have accepted new keys in another pool. */
  readonly renew: () => void;
  readonly isUnread: (other: number) => boolean;
  readonly unread: () => readonly number[];
  /** Returns the cells that have keys, according to the pages read so far. */
  readonly cellsWithKeys: () => readonly number[];
  /** Returns the cells that may have this key. */
  readonly mayHold: (key: string) => readonly number[];
};

type Parts = {
  /** The number of this cell. */
  readonly cell: number;
  readonly stubOf: (cell: number) => PoolCell;
  /** The cells with keys that an earlier instance of the object found. */
  readonly cellsWithKeys: readonly number[];
};

export function openKeyPages({ cell, stubOf, cellsWithKeys: foundBefore }: Parts): KeyPages {
  const cellsWithKeys = new Set<number>(foundBefore);
  /** By cell: the cursor of its next page; null to begin with the first page. */
  const unread = new Map<number, string | null>(foundBefore.map((other) => [other, null]));
  const keys = openKeySet();
  let currentPass = 0;

  return {
    read: async (other, pool) => {
      const [after, pass] = [unread.get(other) ?? null, currentPass];
      const answer = await stubOf(other).yieldKeys({ cell, pool, after });
      if (answer.kind === "stale") return answer.pool;
      for (const key of answer.keys) keys.add(key);
      // A page that was read for an earlier pass does not count for the current pass.
      if (pass !== currentPass) return null;
      if (after !== null || answer.keys.length > 0) cellsWithKeys.add(other);
      else cellsWithKeys.delete(other);
      if (answer.after === null) unread.delete(other);
      else unread.set(other, answer.after);
      return null;
    },
    renew: () => {
      currentPass += 1;
      for (const other of unread.keys()) unread.set(other, null);
    },
    isUnread: (other) => unread.has(other),
    unread: () => [...unread.keys()],
    cellsWithKeys: () => [...cellsWithKeys],
    mayHold: (key) => (keys.has(key) ? [...cellsWithKeys] : [...unread.keys()]),
  };
}
