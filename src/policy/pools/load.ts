// Measures the load of a pool cell: decides whether its rate of starts and its size require a larger pool, or at least
// the current one.
import {
  POOL_CELL_BYTES_MAX,
  POOL_NEEDED_REPORT_EVERY_MS,
  POOL_OVERLOAD_REPORT_EVERY_MS,
  POOL_SHRINK_FACTOR,
  POOL_STARTS_PER_S_MAX,
  POOL_WINDOW_MS,
} from "#schema/limits/pool-cells.ts";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";

/** The starts that a cell has counted, and its last reports. */
export type Load = {
  /** When the count started, in epoch ms; null if nothing was counted yet. */
  readonly since: number | null;
  readonly starts: number;
  /** The pool's epoch that the latest start named. */
  readonly epoch: number;
  readonly pressedAt: number | null;
  readonly neededAt: number | null;
};

export const noLoad: Load = { since: null, starts: 0, epoch: 0, pressedAt: null, neededAt: null };

type Starts = { readonly count: number; readonly epoch: number; readonly now: number; readonly bytes: () => number };

/** Counts starts. `report` is null if there is nothing to report. The count restarts after a change of the pool. */
export function countStarts(load: Load, starts: Starts): { readonly load: Load; readonly report: PoolReport | null } {
  const { count, epoch, now } = starts;
  if (load.since === null || epoch > load.epoch) {
    return { load: { ...load, since: now, starts: count, epoch, pressedAt: null }, report: null };
  }
  const counted = { ...load, starts: load.starts + count };
  const elapsed = now - load.since;
  if (elapsed < POOL_WINDOW_MS) return { load: counted, report: null };
  const report = { epoch: load.epoch, startsPerS: (counted.starts * 1_000) / elapsed, bytes: starts.bytes() };
  return reportIfDue({ ...counted, since: now, starts: 0 }, report, now);
}

/** Returns the report if the load is too high or the pool size is needed. Reports have a minimum gap. */
function reportIfDue(load: Load, report: PoolReport, now: number): ReturnType<typeof countStarts> {
  if (isOverloaded(report)) {
    if (!isDue(load.pressedAt, POOL_OVERLOAD_REPORT_EVERY_MS, now)) return { load, report: null };
    return { load: { ...load, pressedAt: now, neededAt: now }, report };
  }
  if (!isSizeNeeded(report) || !isDue(load.neededAt, POOL_NEEDED_REPORT_EVERY_MS, now)) return { load, report: null };
  return { load: { ...load, neededAt: now }, report };
}

/** Returns whether the load exceeds the limits of one cell. */
export function isOverloaded({ startsPerS, bytes }: PoolReport): boolean {
  return startsPerS > POOL_STARTS_PER_S_MAX || bytes > POOL_CELL_BYTES_MAX;
}

/** Returns whether the pool's size is needed: in a pool of a quarter of the cells, each cell would exceed its limit. */
export function isSizeNeeded({ startsPerS }: PoolReport): boolean {
  return startsPerS > POOL_STARTS_PER_S_MAX / POOL_SHRINK_FACTOR;
}

function isDue(last: number | null, everyMs: number, now: number): boolean {
  return last === null || now >= last + everyMs;
}
