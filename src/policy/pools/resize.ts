// Decides the size of a pool. It grows when a cell reports too much load, and shrinks after a long time without such
// reports.
import {
  POOL_GROW_FACTOR_MAX,
  POOL_SHRINK_FACTOR,
  POOL_SIZE_MAX,
  POOL_STARTS_PER_S_MAX,
} from "#schema/limits/pool-cells.ts";
import type { Pool, PoolReport } from "#schema/placement/tenant-pool.ts";
import { isOverloaded } from "./load.ts";

/**
 * Returns the larger pool; null if the pool does not grow. A report that was made for an earlier pool size is ignored.
 */
export function growPool(pool: Pool, report: PoolReport): Pool | null {
  const { size } = pool;
  if (report.epoch !== pool.epoch || !isOverloaded(report) || size >= POOL_SIZE_MAX) return null;
  return sized(pool, Math.min(size * factorFor(report), POOL_SIZE_MAX));
}

/**
 * Returns the smaller pool. The caller has seen no report of a cell for a long time. null if the pool has only one
 * cell.
 */
export function shrinkPool(pool: Pool): Pool | null {
  const { size } = pool;
  return size === 1 ? null : sized(pool, Math.max(1, size / POOL_SHRINK_FACTOR));
}

function sized({ epoch, layers }: Pool, size: number): Pool {
  return { epoch: epoch + 1, size, layers: layers.includes(size) ? layers : [...layers, size] };
}

/** Returns by how much the pool grows: 2, or 4 if doubling would not be enough. */
function factorFor({ startsPerS }: PoolReport): number {
  return startsPerS > 2 * POOL_STARTS_PER_S_MAX ? POOL_GROW_FACTOR_MAX : 2;
}
