// Reads and changes the tenants' cell pools, which are columns of the tenants' rows. A change is stored only if the
// pool still has the epoch that was read. So each epoch has exactly one pool size.
import { and, asc, eq, isNull, lt, ne, or } from "drizzle-orm";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { Db } from "../db.ts";
import { tenants } from "../tables/tenants.ts";

type Row = typeof tenants.$inferSelect;

/**
 * All possible pool sizes. They are powers of two, so that one integer stores the set of sizes that a pool ever had.
 */
const SIZES = [1, 2, 4, 8, 16, 32, 64] as const;

/** Reads the pool from a tenant's row. A tenant without a row has the pool of a new tenant: one cell. */
export function poolOfRow(row: Pick<Row, "poolSize" | "poolEpoch" | "poolLayers"> | null): Pool {
  const { poolSize: size = 1, poolEpoch: epoch = 0, poolLayers: bits = 1 } = row ?? {};
  return { epoch, size, layers: SIZES.filter((bit) => (bits & bit) !== 0) };
}

/** Returns the column values of a pool, for an insert or an update. */
export function poolColumns({ size, epoch, layers }: Pool, now: number) {
  const poolLayers = layers.reduce((sum, layer) => sum + layer, 0);
  return { poolSize: size, poolEpoch: epoch, poolLayers, poolNeededAt: now };
}

/** Changes the pool; returns false if another request changed it since it was read. */
export async function changePool(db: Db, tenant: string, from: Pool, to: Pool, now: number): Promise<boolean> {
  const isUnchanged = and(eq(tenants.id, tenant), eq(tenants.poolEpoch, from.epoch));
  const { meta } = await db.update(tenants).set(poolColumns(to, now)).where(isUnchanged).run();
  return meta.changes > 0;
}

/**
 * Stores `now` as the time when the tenant last needed its pool's size. A stored time that is not older than `before`
 * is not replaced.
 */
export async function recordPoolNeed(db: Db, tenant: string, now: number, before: number): Promise<void> {
  const isOld = and(eq(tenants.id, tenant), or(isNull(tenants.poolNeededAt), lt(tenants.poolNeededAt, before)));
  await db.update(tenants).set({ poolNeededAt: now }).where(isOld).run();
}

/** Returns pools with more than one cell whose current size was last needed before `before`. */
export async function unneededPools(db: Db, before: number, limit: number) {
  const rows = await db
    .select()
    .from(tenants)
    .where(and(ne(tenants.poolSize, 1), lt(tenants.poolNeededAt, before)))
    .orderBy(asc(tenants.poolNeededAt))
    .limit(limit);
  return rows.map((row) => ({ tenant: row.id, pool: poolOfRow(row) }));
}
