// Load reports: counts the starts of a pool cell. Reports to the tenant's catalog row when the cell is overloaded, or
// busy enough that the pool must not shrink. A failed report is only logged, because the next one repeats it.
import { noLoad, countStarts, type Load } from "#policy/pools/load.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";

export type LoadReportParts = {
  readonly now: () => number;
  /** Returns the size of the cell's storage. */
  readonly bytes: () => number;
  readonly report: (report: PoolReport) => Promise<void>;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

/** Returns a function that counts the starts of one call. */
export function openLoadReports({ now, bytes, report, log }: LoadReportParts): (items: readonly StartItem[]) => void {
  let load: Load = noLoad;
  return (items) => {
    const epoch = items.reduce((latest, { pool }) => Math.max(latest, pool?.epoch ?? 0), 0);
    const noted = countStarts(load, { count: items.length, epoch, now: now(), bytes });
    load = noted.load;
    if (noted.report === null) return;
    report(noted.report).catch((fault: unknown) => {
      log({ level: "warn", event: "pool_report_lost", message: String(fault) });
    });
  };
}
