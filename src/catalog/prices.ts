// Reads and replaces a tenant's prices: one row per tenant.
import { eq } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { prices } from "./tables/prices.ts";

export type StoredPrices = typeof prices.$inferSelect;

export async function findPrices(db: Db, tenant: string): Promise<StoredPrices | null> {
  return (await db.select().from(prices).where(eq(prices.tenant, tenant)).get()) ?? null;
}

/**
 * Stores the prices if the row is still the one that was read. `readAt`: its `updatedAt`; null if there was no row.
 * Returns false if another request was first.
 */
export async function putPrices(db: Db, row: StoredPrices, readAt: number | null, audit: AuditRow): Promise<boolean> {
  const { tenant: _tenant, ...set } = row;
  const insert = db.insert(prices).values(row);
  const put =
    readAt === null
      ? insert.onConflictDoNothing()
      : insert.onConflictDoUpdate({ target: prices.tenant, set, setWhere: eq(prices.updatedAt, readAt) });
  const [result] = await db.batch([put, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}
