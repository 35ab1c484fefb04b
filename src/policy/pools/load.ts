// Measures the load of a pool's cell: decides whether its rate of starts and its size require a larger pool, or show
// that the pool must not shrink.
import {
  POOL_CELL_BYTES_MAX,
  POOL_NEEDED_REPORT_EVERY_MS,
  POOL_OVERLOAD_REPORT_EVERY_MS,
  POOL_SHRINK_FACTOR,
  POOL_STARTS_PER_S_MAX,
  POOL_WINDOW_MS,
} from "#schema/limits/pool-cells.ts";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";

/** The starts that a cell has counted, and what it has last reported. */
export type Load = {
  /** When the present count began, in epoch ms; null if no start was counted yet. */
  readonly since: number | null;
  readonly starts: number;
  /** The epoch of the pool that the latest start contained. */
  readonly epoch: number;
  readonly pressedAt: number | null;
  readonly neededAt: number | null;
};

export const noLoad: Load = { since: null, starts: 0, epoch: 0, pressedAt: null, neededAt: null };

type Starts = { readonly count: number; readonly epoch: number; readonly now: number; readonly bytes: () => number };

/** Counts starts. `report`: null if nothing must be reported. After a change of the pool the count begins again. */
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

/**
 * Returns a report if the load is too high, or if the pool must not shrink. Between two reports there is a minimum gap.
 */
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

/**
 * Returns whether the pool must not shrink: in a pool with a quarter of the cells, each cell would exceed its limit.
 */
export function isSizeNeeded({ startsPerS }: PoolReport): boolean {
  return startsPerS > POOL_STARTS_PER_S_MAX / POOL_SHRINK_FACTOR;
}

function isDue(last: number | null, everyMs: number, now: number): boolean {
  return last === null || now >= last + everyMs;
}
