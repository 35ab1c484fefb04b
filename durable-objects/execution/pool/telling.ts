// Counts what a pool's cell is given to start, and tells the tenant's catalog row when that is too much for it, or enough
// to be worth its place. Beside the work: nobody waits for it, and what is not heard is told again.
import { noLoad, noteStarts, type Load } from "#policy/pools/load.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";

export type TellingParts = {
  readonly now: () => number;
  /** How much the cell holds. */
  readonly bytes: () => number;
  readonly tell: (report: PoolReport) => Promise<void>;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

export function openTelling({ now, bytes, tell, log }: TellingParts): (items: readonly StartItem[]) => void {
  let load: Load = noLoad;
  return (items) => {
    const epoch = items.reduce((latest, { pool }) => Math.max(latest, pool?.epoch ?? 0), 0);
    const noted = noteStarts(load, { count: items.length, epoch, now: now(), bytes });
    load = noted.load;
    if (noted.report === null) return;
    tell(noted.report).catch((fault: unknown) => {
      log({ level: "warn", event: "pool_report_lost", message: String(fault) });
    });
  };
}
