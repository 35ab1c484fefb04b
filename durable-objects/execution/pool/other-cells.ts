// Other cells: the cells of other pool sizes to which this cell's keys may have been routed. Each must yield once, and
// its keys are read in the background. Until all of a cell's keys are read, it is queried for every new key; afterwards
// only for possible matches.
import { overlappingCells } from "#policy/pools/layout.ts";
import { CELL_CALLS_AT_ONCE } from "#schema/limits/pool-cells.ts";
import type { HoldsAsk, Pool, PoolCell } from "#schema/placement/tenant-pool.ts";
import { openKeyPages, type KeyPages } from "./key-pages.ts";

export type OtherCells = Pick<KeyPages, "mayHold" | "wet"> & {
  /**
   * Makes all of them yield. Throws if one does not answer; those that did are not called again. null: all have
   * yielded.
   */
  readonly supersede: (pool: Pool) => Promise<Pool | null>;
  /** Which of these cells has the key's execution; null: none. */
  readonly holder: (cells: readonly number[], asked: (cell: number) => HoldsAsk) => Promise<number | null>;
  /** Continues reading unread keys, in the background. */
  readonly readOn: (pool: Pool, done: () => void) => void;
};

type Parts = {
  readonly cell: number;
  readonly ask: (cell: number) => PoolCell;
  readonly fault: (fault: unknown) => void;
  /** As found by an earlier instance of the object. */
  readonly wet: readonly number[];
};

export function openOtherCells({ cell, ask, fault, wet }: Parts): OtherCells {
  const pages = openKeyPages({ cell, ask, wet });
  let epoch = -1;
  let answered = new Set<number>();
  let isReading = false;

  const readAll = async (pool: Pool, done: () => void): Promise<void> => {
    for (const other of pages.unread()) {
      while (pages.isUnread(other)) if ((await pages.read(other, pool)) !== null) return;
    }
    done();
  };

  return {
    mayHold: pages.mayHold,
    wet: pages.wet,
    supersede: async (pool) => {
      if (pool.epoch > epoch) {
        epoch = pool.epoch;
        answered = new Set();
        pages.renew();
      }
      // A late answer, when another pool is requested by now, is for the pool before.
      const gaveWay = answered;
      const left = overlappingCells(pool, cell).filter((other) => !gaveWay.has(other));
      const later = await inTurns(left, async (other) => {
        const newer = await pages.read(other, pool);
        if (newer === null) gaveWay.add(other);
        return newer;
      });
      return later.find((newer) => newer !== null) ?? null;
    },
    holder: async (cells, asked) => {
      const found = await inTurns(cells, async (other) => ((await ask(other).holds(asked(other))) ? other : null));
      return found.find((other) => other !== null) ?? null;
    },
    readOn: (pool, done) => {
      if (isReading || pages.unread().length === 0) return;
      isReading = true;
      readAll(pool, done)
        .catch(fault)
        .finally(() => (isReading = false));
    },
  };
}

async function inTurns<One, Answer>(
  all: readonly One[],
  work: (one: One) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < all.length; from += CELL_CALLS_AT_ONCE) {
    answers.push(...(await Promise.all(all.slice(from, from + CELL_CALLS_AT_ONCE).map(work))));
  }
  return answers;
}
