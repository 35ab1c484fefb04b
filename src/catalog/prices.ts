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

export async function putPrices(db: Db, row: StoredPrices, audit: AuditRow): Promise<void> {
  const { tenant: _tenant, ...set } = row;
  const put = db.insert(prices).values(row).onConflictDoUpdate({ target: prices.tenant, set });
  await db.batch([put, auditIfChanged(db, audit)]);
}
