// Other cells: cells of other pool sizes to which the keys of this cell may have been routed. Each of these cells must
// yield once, and its keys are read in the background. Until its keys are read, a cell is queried for every new key.
// After that, it is queried only for keys that it may have.
import { overlappingCells } from "#policy/pools/layout.ts";
import { CELL_CALLS_AT_ONCE } from "#schema/limits/pool-cells.ts";
import type { KeyQuery, Pool, PoolCell } from "#schema/placement/tenant-pool.ts";
import { openKeyPages, type KeyPages } from "./key-pages.ts";

export type OtherCells = Pick<KeyPages, "mayHold" | "cellsWithKeys"> & {
  /**
   * Makes all other cells yield. Resolves with null if all have yielded, else with a later pool. Rejects if a cell does
   * not answer. The next call skips the cells that have yielded.
   */
  readonly yieldKeys: (pool: Pool) => Promise<Pool | null>;
  /** Queries cells for a key. Resolves with the cell that has it, or null. */
  readonly findHolder: (cells: readonly number[], query: (cell: number) => KeyQuery) => Promise<number | null>;
  /** Reads the unread keys in the background, then calls `done`. */
  readonly readRemaining: (pool: Pool, done: () => void) => void;
};

type Parts = {
  /** The number of this cell. */
  readonly cell: number;
  readonly stubOf: (cell: number) => PoolCell;
  readonly logFault: (fault: unknown) => void;
  /** The cells with keys that an earlier instance of the object found. */
  readonly cellsWithKeys: readonly number[];
};

export function openOtherCells({ cell, stubOf, logFault, cellsWithKeys }: Parts): OtherCells {
  const pages = openKeyPages({ cell, stubOf, cellsWithKeys });
  let epoch = -1;
  /** The cells that have yielded to the pool of this epoch. */
  let yielded = new Set<number>();
  let isReading = false;

  const readAll = async (pool: Pool, done: () => void): Promise<void> => {
    for (const other of pages.unread()) {
      while (pages.isUnread(other)) {
        const laterPool = await pages.read(other, pool);
        if (laterPool !== null) return;
      }
    }
    done();
  };

  return {
    mayHold: pages.mayHold,
    cellsWithKeys: pages.cellsWithKeys,
    yieldKeys: async (pool) => {
      if (pool.epoch > epoch) {
        epoch = pool.epoch;
        yielded = new Set();
        pages.renew();
      }
      // An answer may arrive after a call for a later epoch, so it is recorded in the set of its own epoch.
      const yieldedToPool = yielded;
      const left = overlappingCells(pool, cell).filter((other) => !yieldedToPool.has(other));
      const answers = await inBatches(left, async (other) => {
        const laterPool = await pages.read(other, pool);
        if (laterPool === null) yieldedToPool.add(other);
        return laterPool;
      });
      return answers.find((laterPool) => laterPool !== null) ?? null;
    },
    findHolder: async (cells, query) => {
      const answers = await inBatches(cells, async (other) =>
        (await stubOf(other).hasKey(query(other))) ? other : null,
      );
      return answers.find((other) => other !== null) ?? null;
    },
    readRemaining: (pool, done) => {
      if (isReading || pages.unread().length === 0) return;
      isReading = true;
      readAll(pool, done)
        .catch(logFault)
        .finally(() => (isReading = false));
    },
  };
}

/** Limits how many cells are called at the same time. */
async function inBatches<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += CELL_CALLS_AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(from, from + CELL_CALLS_AT_ONCE).map(work))));
  }
  return answers;
}
