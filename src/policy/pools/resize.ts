// Decides the size of a pool: it grows on a cell's report and shrinks after a long quiet time.
import {
  POOL_GROW_FACTOR_MAX,
  POOL_SHRINK_FACTOR,
  POOL_SIZE_MAX,
  POOL_STARTS_PER_S_MAX,
} from "#schema/limits/pool-cells.ts";
import type { Pool, PoolReport } from "#schema/placement/tenant-pool.ts";
import { isOverloaded } from "./load.ts";

/** Returns the larger pool; null if the pool does not grow. A report about an earlier pool size is ignored. */
export function growPool(pool: Pool, report: PoolReport): Pool | null {
  const { size } = pool;
  if (report.epoch !== pool.epoch || !isOverloaded(report) || size >= POOL_SIZE_MAX) return null;
  return sized(pool, Math.min(size * factorFor(report), POOL_SIZE_MAX));
}

/** Returns the smaller pool, after a long time in which no cell needed the size; null if the pool has one cell. */
export function shrinkPool(pool: Pool): Pool | null {
  const { size } = pool;
  return size === 1 ? null : sized(pool, Math.max(1, size / POOL_SHRINK_FACTOR));
}

function sized({ epoch, layers }: Pool, size: number): Pool {
  return { epoch: epoch + 1, size, layers: layers.includes(size) ? layers : [...layers, size] };
}

/** Returns 2, or 4 if a doubled pool would not be enough. */
function factorFor({ startsPerS }: PoolReport): number {
  return startsPerS > 2 * POOL_STARTS_PER_S_MAX ? POOL_GROW_FACTOR_MAX : 2;
}
