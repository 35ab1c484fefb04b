// Tenants: the isolation boundary, by id.
import { asc, eq, gt } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { tenants } from "./tables/tenants.ts";

export type Tenant = typeof tenants.$inferSelect;

/** False: the id is taken, and nothing changed. */
export async function insertTenant(db: Db, row: Tenant, audit: AuditRow): Promise<boolean> {
  const insert = db.insert(tenants).values(row).onConflictDoNothing();
  const [result] = await db.batch([insert, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

export async function findTenant(db: Db, id: string): Promise<Tenant | null> {
  return (await db.select().from(tenants).where(eq(tenants.id, id)).get()) ?? null;
}

export async function listTenants(db: Db, cursor: string | null, limit: number): Promise<Result<Page<Tenant>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select()
    .from(tenants)
    .where(after.value === null ? undefined : gt(tenants.id, after.value[0]))
    .orderBy(asc(tenants.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.id]));
}
