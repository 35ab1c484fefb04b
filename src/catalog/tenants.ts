// Stores and lists tenants, by id.
import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";
import type { LimitChanges } from "#schema/quota.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { policiesOf } from "./policies/policies.ts";
import { ALL_RECEIVERS } from "./signing.ts";
import { signing } from "./tables/signing.ts";
import { tenants } from "./tables/tenants.ts";

export type Tenant = typeof tenants.$inferSelect;

/**
 * Inserts a tenant, with a rotation row which gives each of its receivers a signing key of its own. Returns false and
 * changes nothing if the id is taken.
 */
export async function insertTenant(db: Db, row: typeof tenants.$inferInsert, audit: AuditRow): Promise<boolean> {
  const { id, createdAt: at } = row;
  const insert = db.insert(tenants).values(row).onConflictDoNothing();
  const isNew = sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${id} AND created_at = ${at})`;
  const keys = db
    .insert(signing)
    .select(sql`SELECT ${id}, ${ALL_RECEIVERS}, ${ALL_RECEIVERS}, ${at}, 0, ${at} WHERE ${isNew}`)
    .onConflictDoNothing();
  const [result] = await db.batch([insert, auditIfChanged(db, audit), keys]);
  return result.meta.changes > 0;
}

/** Finds a tenant with its policies, in one query. */
export async function findTenantWithPolicies(
  db: Db,
  id: string,
): Promise<{ readonly tenant: Tenant | null; readonly policies: readonly TenantPolicy[] }> {
  const row = await db
    .select({ ...getTableColumns(tenants), policies: policiesOf(id) })
    .from(tenants)
    .where(eq(tenants.id, id))
    .get();
  if (row === undefined) return { tenant: null, policies: [] };
  const { policies, ...tenant } = row;
  return { tenant, policies: JSON.parse(policies) as readonly TenantPolicy[] }; // policiesOf() builds this shape.
}

export async function findTenant(db: Db, id: string): Promise<Tenant | null> {
  return (await db.select().from(tenants).where(eq(tenants.id, id)).get()) ?? null;
}

export type TenantChange = {
  readonly name: string | null;
  readonly retentionDays: number | null;
  readonly limits: LimitChanges;
  readonly origins: readonly string[] | null;
};

/**
 * Changes a tenant; returns null if it does not exist. The statement itself merges the limits, so that of two
 * concurrent changes neither is lost.
 */
export async function changeTenant(
  db: Db,
  id: string,
  { name, retentionDays, limits, origins }: TenantChange,
  audit: AuditRow,
): Promise<Tenant | null> {
  const change = db
    .update(tenants)
    .set({
      ...(name === null ? {} : { name }),
      ...(retentionDays === null ? {} : { retentionDays }),
      ...(origins === null ? {} : { origins }),
      limits: sql`nullif(json_patch(coalesce(limits, '{}'), ${JSON.stringify(limits)}), '{}')`,
    })
    .where(eq(tenants.id, id))
    .returning();
  const [[row]] = await db.batch([change, auditIfChanged(db, audit)]);
  return row ?? null;
}

/**
 * Suspends a tenant, or resumes it if `to` is null. A tenant that is already suspended keeps the instant and reason of
 * its suspension.
 */
export async function suspendTenant(
  db: Db,
  id: string,
  to: { readonly at: number; readonly reason: string } | null,
  audit: AuditRow,
): Promise<void> {
  const change = db
    .update(tenants)
    .set({ suspendedAt: to?.at ?? null, suspendedReason: to?.reason ?? null })
    .where(and(eq(tenants.id, id), to === null ? isNotNull(tenants.suspendedAt) : isNull(tenants.suspendedAt)));
  await db.batch([change, auditIfChanged(db, audit)]);
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
