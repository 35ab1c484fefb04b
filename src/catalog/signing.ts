// Stores rotations of webhook signing keys: one row for the tenant, and one for each receiver that was rotated
// separately.
import { and, asc, eq, gt, lte, ne, sql } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { signing } from "./tables/signing.ts";

export type StoredRotation = typeof signing.$inferSelect;

/** The receiver of the tenant's own row, which applies to all receivers. */
export const ALL_RECEIVERS = "";

/** Returns all rotations of a tenant. Their number is limited when they are created. */
export async function listRotations(db: Db, tenant: string): Promise<readonly StoredRotation[]> {
  return db.select().from(signing).where(eq(signing.tenant, tenant)).orderBy(asc(signing.receiver));
}

/** Stores a rotation, if the rotation that was read is unchanged; returns false otherwise. */
export async function putRotation(
  db: Db,
  row: StoredRotation,
  sinceBefore: number | null,
  audit: AuditRow,
): Promise<boolean> {
  const { since, previous, previousUntil } = row;
  const put = db
    .insert(signing)
    .values(row)
    .onConflictDoUpdate({
      target: [signing.tenant, signing.receiver],
      set: { since, previous, previousUntil },
      setWhere: sinceBefore === null ? sql`0` : eq(signing.since, sinceBefore),
    });
  const [result] = await db.batch([put, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

/**
 * Deletes the rotations of single receivers that are older than the tenant's rotation, once the tenant's previous key
 * has stopped signing. From then on they have no effect.
 */
export async function deleteOutdatedRotations(db: Db, tenant: string, now: number): Promise<void> {
  const tenantRotation = db
    .select({ since: signing.since })
    .from(signing)
    .where(and(eq(signing.tenant, tenant), eq(signing.receiver, ALL_RECEIVERS), lte(signing.previousUntil, now)));
  const outdated = and(
    eq(signing.tenant, tenant),
    ne(signing.receiver, ALL_RECEIVERS),
    gt(sql`(${tenantRotation})`, signing.since),
  );
  await db.delete(signing).where(outdated);
}
