// Alert channels: one row each, changed in place. What was deleted is found no more.
import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { alertChannels } from "./tables/alert-channels.ts";

export type StoredAlertChannel = typeof alertChannels.$inferSelect;

/** False: the name is taken, and nothing changed. */
export async function insertAlertChannel(db: Db, row: StoredAlertChannel, audit: AuditRow): Promise<boolean> {
  const insert = db.insert(alertChannels).values(row).onConflictDoNothing();
  const [result] = await db.batch([insert, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

export async function findAlertChannel(db: Db, tenant: string, id: string): Promise<StoredAlertChannel | null> {
  return (
    (await db
      .select()
      .from(alertChannels)
      .where(and(mine(tenant), eq(alertChannels.id, id)))
      .get()) ?? null
  );
}

export async function alertChannelNamed(db: Db, tenant: string, name: string): Promise<StoredAlertChannel | null> {
  return (
    (await db
      .select()
      .from(alertChannels)
      .where(and(mine(tenant), eq(alertChannels.name, name)))
      .get()) ?? null
  );
}

/** Those that want to hear of failures; there are never many. */
export async function openAlertChannels(db: Db, tenant: string): Promise<readonly StoredAlertChannel[]> {
  return db
    .select()
    .from(alertChannels)
    .where(and(mine(tenant), eq(alertChannels.enabled, true)))
    .orderBy(asc(alertChannels.id));
}

/** By name. */
export async function listAlertChannels(
  db: Db,
  tenant: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredAlertChannel>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const page = after.value === null ? undefined : gt(alertChannels.name, after.value[0]);
  const rows = await db
    .select()
    .from(alertChannels)
    .where(and(mine(tenant), page))
    .orderBy(asc(alertChannels.name))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.name]));
}

export async function countAlertChannels(db: Db, tenant: string): Promise<number> {
  return db.$count(alertChannels, mine(tenant));
}

/** Changes the row that was read, and no other: false where it has changed since, is gone, or the name is taken. */
export async function replaceAlertChannel(
  db: Db,
  row: StoredAlertChannel,
  updatedBefore: number,
  audit: AuditRow,
): Promise<boolean> {
  const { name, enabled, settings, updatedAt } = row;
  const isTaken = sql`EXISTS (SELECT 1 FROM alert_channels other WHERE other.tenant = ${row.tenant}
    AND other.name = ${name} AND other.deleted_at IS NULL AND other.id <> ${row.id})`;
  const isAsRead = and(
    mine(row.tenant),
    eq(alertChannels.id, row.id),
    eq(alertChannels.updatedAt, updatedBefore),
    sql`NOT ${isTaken}`,
  );
  const replace = db.update(alertChannels).set({ name, enabled, settings, updatedAt }).where(isAsRead);
  const [result] = await db.batch([replace, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

export async function deleteAlertChannel(
  db: Db,
  tenant: string,
  id: string,
  at: number,
  audit: AuditRow,
): Promise<void> {
  const gone = db
    .update(alertChannels)
    .set({ deletedAt: at })
    .where(and(mine(tenant), eq(alertChannels.id, id)));
  await db.batch([gone, auditIfChanged(db, audit)]);
}

function mine(tenant: string) {
  return and(eq(alertChannels.tenant, tenant), isNull(alertChannels.deletedAt));
}
