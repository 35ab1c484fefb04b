// Key pages: reads the keys of other cells of the pool, page by page. A cell yields with its first page.
import type { Pool, PoolCell } from "#schema/placement/tenant-pool.ts";
import { openKeySet } from "./key-set.ts";

export type KeyPages = {
  /** Reads the next page of one cell. null: it has yielded; otherwise the later pool it belongs to. */
  readonly read: (other: number, pool: Pool) => Promise<Pool | null>;
  /** In another pool they may have begun new keys meanwhile: all are read again. */
  readonly renew: () => void;
  readonly isUnread: (other: number) => boolean;
  readonly unread: () => readonly number[];
  /** Cells that have keys, as far as they are read. */
  readonly wet: () => readonly number[];
  /** Cells that may have this key. */
  readonly mayHold: (key: string) => readonly number[];
};

type Parts = {
  readonly cell: number;
  readonly ask: (cell: number) => PoolCell;
  /** As found by an earlier instance of the object. */
  readonly wet: readonly number[];
};

export function openKeyPages({ cell, ask, wet: before }: Parts): KeyPages {
  const wet = new Set<number>(before);
  /** The cursor of the next page; null: from the beginning. */
  const unread = new Map<number, string | null>(before.map((other) => [other, null]));
  const known = openKeySet();
  let round = 0;

  return {
    read: async (other, pool) => {
      const [from, mine] = [unread.get(other) ?? null, round];
      const answer = await ask(other).supersede({ cell, pool, after: from });
      if (answer.kind === "stale") return answer.pool;
      for (const key of answer.keys) known.add(key);
      // An answer of an earlier pass does not count as read in this one.
      if (mine !== round) return null;
      if (from !== null || answer.keys.length > 0) wet.add(other);
      else wet.delete(other);
      if (answer.after === null) unread.delete(other);
      else unread.set(other, answer.after);
      return null;
    },
    renew: () => {
      round += 1;
      for (const other of unread.keys()) unread.set(other, null);
    },
    isUnread: (other) => unread.has(other),
    unread: () => [...unread.keys()],
    wet: () => [...wet],
    mayHold: (key) => (known.has(key) ? [...wet] : [...unread.keys()]),
  };
}
