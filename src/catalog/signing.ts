// Rotations of webhook signing keys: one row for a tenant whose receivers have their own keys, and one for each
// receiver that was rotated separately.
import { and, asc, eq, gt, lte, ne, sql } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { signing } from "./tables/signing.ts";

export type StoredRotation = typeof signing.$inferSelect;

/** The row for all of a tenant's receivers. */
export const ALL_RECEIVERS = "";

/** All rotations of a tenant; their number is bounded at creation. */
export async function listRotations(db: Db, tenant: string): Promise<readonly StoredRotation[]> {
  return db.select().from(signing).where(eq(signing.tenant, tenant)).orderBy(asc(signing.receiver));
}

/** Replaces the rotation that was read: false if it has changed since. */
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
 * Removes receivers' own rotations older than their tenant's, once no older key signs: they no longer have an effect.
 */
export async function forgetOutdated(db: Db, tenant: string, now: number): Promise<void> {
  const all = db
    .select({ since: signing.since })
    .from(signing)
    .where(and(eq(signing.tenant, tenant), eq(signing.receiver, ALL_RECEIVERS), lte(signing.previousUntil, now)));
  const outdated = and(
    eq(signing.tenant, tenant),
    ne(signing.receiver, ALL_RECEIVERS),
    gt(sql`(${all})`, signing.since),
  );
  await db.delete(signing).where(outdated);
}
