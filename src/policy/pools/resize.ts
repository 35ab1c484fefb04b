// The size of a pool: grows on a cell's report, and shrinks after a long quiet time.
import {
  POOL_GROW_FACTOR_MAX,
  POOL_SHRINK_FACTOR,
  POOL_SIZE_MAX,
  POOL_STARTS_PER_S_MAX,
} from "#schema/limits/placement.ts";
import type { Pool, PoolReport } from "#schema/placement/tenant-pool.ts";
import { isPressed } from "./load.ts";

/** null if it is unchanged. A report about an earlier size of the pool is ignored. */
export function grown(pool: Pool, report: PoolReport): Pool | null {
  const { size } = pool;
  if (report.epoch !== pool.epoch || !isPressed(report) || size >= POOL_SIZE_MAX) return null;
  return sized(pool, Math.min(size * factorFor(report), POOL_SIZE_MAX));
}

/** After a long quiet time: each cell had less than a quarter of its limit. null if it is small already. */
export function shrunk(pool: Pool): Pool | null {
  const { size } = pool;
  return size === 1 ? null : sized(pool, Math.max(1, size / POOL_SHRINK_FACTOR));
}

function sized({ epoch, layers }: Pool, size: number): Pool {
  return { epoch: epoch + 1, size, layers: layers.includes(size) ? layers : [...layers, size] };
}

/** Two, or four if two is not enough. */
function factorFor({ startsPerS }: PoolReport): number {
  return startsPerS > 2 * POOL_STARTS_PER_S_MAX ? POOL_GROW_FACTOR_MAX : 2;
}
