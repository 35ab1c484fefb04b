// The cells of other layers that keys of this one may have led to: asked once each to give way, and read beside the work.
// Until all of one's keys are known it is asked about every new one; afterwards about few.
import { othersOf } from "#policy/pools/layout.ts";
import { CELL_CALLS_AT_ONCE } from "#schema/limits/placement.ts";
import type { HoldsAsk, Pool, PoolCell } from "#schema/placement/tenant-pool.ts";
import { openPages, type Pages } from "./pages.ts";

export type Others = Pick<Pages, "mayHold" | "wet"> & {
  /** Has all of them give way. Throws where one does not answer: those that did are not asked again. null: it is done. */
  readonly supersede: (pool: Pool) => Promise<Pool | null>;
  /** Who of these has it; null: nobody. */
  readonly holder: (cells: readonly number[], asked: (cell: number) => HoldsAsk) => Promise<number | null>;
  /** Goes on reading what has not been read, beside the work. */
  readonly readOn: (pool: Pool, done: () => void) => void;
};

type Parts = {
  readonly cell: number;
  readonly ask: (cell: number) => PoolCell;
  readonly fault: (fault: unknown) => void;
  /** As an earlier life of the object has found them. */
  readonly wet: readonly number[];
};

export function openOthers({ cell, ask, fault, wet }: Parts): Others {
  const pages = openPages({ cell, ask, wet });
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
      // One that answers late, when another pool is asked for, has given way to the one before.
      const gaveWay = answered;
      const left = othersOf(pool, cell).filter((other) => !gaveWay.has(other));
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
