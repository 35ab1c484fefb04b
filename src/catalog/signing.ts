// Rotations of webhook signing keys: a row for a tenant that has keys for each receiver, and one for each receiver that
// was rotated by itself.
import { and, asc, eq, gt, lte, ne, sql } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { signing } from "./tables/signing.ts";

export type StoredRotation = typeof signing.$inferSelect;

/** The row that is about all of a tenant's receivers. */
export const ALL_RECEIVERS = "";

/** All of a tenant's; how many there are is bounded where they are made. */
export async function listRotations(db: Db, tenant: string): Promise<readonly StoredRotation[]> {
  return db.select().from(signing).where(eq(signing.tenant, tenant)).orderBy(asc(signing.receiver));
}

/** Puts a rotation in the place of the one that was read, and of no other: false where somebody was quicker. */
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

/** Receivers' own rotations from before their tenant's, once nothing older signs: from then on they say nothing. */
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
