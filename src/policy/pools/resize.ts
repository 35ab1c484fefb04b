// How large a pool is to be: what a cell's report makes of it, and what a long quiet does.
import {
  POOL_GROW_FACTOR_MAX,
  POOL_SHRINK_FACTOR,
  POOL_SIZE_MAX,
  POOL_STARTS_PER_S_MAX,
} from "#schema/limits/placement.ts";
import type { Pool, PoolReport } from "#schema/placement/tenant-pool.ts";
import { isPressed } from "./load.ts";

/** null: it stays. A report about a pool that has been changed since is about nothing that is. */
export function grown(pool: Pool, report: PoolReport): Pool | null {
  const { size } = pool;
  if (report.epoch !== pool.epoch || !isPressed(report) || size >= POOL_SIZE_MAX) return null;
  return sized(pool, Math.min(size * factorFor(report), POOL_SIZE_MAX));
}

/** After a long quiet: each cell had less than a quarter of what one may have. null: it is small as it is. */
export function shrunk(pool: Pool): Pool | null {
  const { size } = pool;
  return size === 1 ? null : sized(pool, Math.max(1, size / POOL_SHRINK_FACTOR));
}

function sized({ epoch, layers }: Pool, size: number): Pool {
  return { epoch: epoch + 1, size, layers: layers.includes(size) ? layers : [...layers, size] };
}

/** Twice, or four times where twice would not be enough. */
function factorFor({ startsPerS }: PoolReport): number {
  return startsPerS > 2 * POOL_STARTS_PER_S_MAX ? POOL_GROW_FACTOR_MAX : 2;
}
