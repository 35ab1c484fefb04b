// Load reports: counts the starts that a pool cell receives, and reports to the tenant's catalog row when the cell is
// overloaded, or busy enough to stay. Runs in the background; a lost report is repeated.
import { noLoad, countStarts, type Load } from "#policy/pools/load.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";

export type LoadReportParts = {
  readonly now: () => number;
  /** The cell's storage size. */
  readonly bytes: () => number;
  readonly tell: (report: PoolReport) => Promise<void>;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

export function openLoadReports({ now, bytes, tell, log }: LoadReportParts): (items: readonly StartItem[]) => void {
  let load: Load = noLoad;
  return (items) => {
    const epoch = items.reduce((latest, { pool }) => Math.max(latest, pool?.epoch ?? 0), 0);
    const noted = countStarts(load, { count: items.length, epoch, now: now(), bytes });
    load = noted.load;
    if (noted.report === null) return;
    tell(noted.report).catch((fault: unknown) => {
      log({ level: "warn", event: "pool_report_lost", message: String(fault) });
    });
  };
}
