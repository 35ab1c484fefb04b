// Statements for rows with a name that is unique in the tenant: connections, triggers and alert channels. Rows are
// changed in place. A deleted row is no longer found, and its name can be used again.
import { and, asc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { StoredQuota } from "#schema/quota.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { insertIfRoom, runInsert, type InsertResult } from "./quotas.ts";

export type NamedRow = {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
  readonly settings: object;
};
type NamedTable = SQLiteTable & { readonly [column in keyof NamedRow]: SQLiteColumn };
/** A table whose rows have names, with the type of its rows. */
export type Named<Row extends NamedRow> = NamedTable & { readonly $inferSelect: Row };

/** Inserts a row, unless the name is taken or the tenant's quota is used up. */
export async function insertNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  quota: StoredQuota,
  row: Row,
  audit: AuditRow,
): Promise<InsertResult> {
  return runInsert(db, quota, row.tenant, insertIfRoom(db, table, quota, row).onConflictDoNothing(), audit);
}

export async function findById<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  tenant: string,
  id: string,
): Promise<Row | null> {
  return findOne(db, table, and(live(table, tenant), eq(table.id, id)));
}

export async function findNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  tenant: string,
  name: string,
): Promise<Row | null> {
  return findOne(db, table, and(live(table, tenant), eq(table.name, name)));
}

/** Lists rows by name. `only` is a condition that the rows must also satisfy. */
export async function listNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  tenant: string,
  cursor: string | null,
  limit: number,
  only?: SQL,
): Promise<Result<Page<Row>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const page = after.value === null ? undefined : gt(table.name, after.value[0]);
  const rows = await db
    .select()
    .from<SQLiteTable>(table)
    .where(and(live(table, tenant), only, page))
    .orderBy(asc(table.name))
    .limit(limit + 1);
  const found = rows as Row[]; // the query selects all columns of the table
  return accept(pageOf(found, limit, (last) => [last.name]));
}

/** Lists names in alphabetical order, after the name `after`. */
export async function listNames<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  tenant: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .select({ name: table.name })
    .from<SQLiteTable>(table)
    .where(and(live(table, tenant), gt(table.name, after)))
    .orderBy(asc(table.name))
    .limit(limit);
  return rows.map(({ name }) => String(name));
}

/**
 * Replaces the row only if it is still the version that was read. Returns false if the row was changed or deleted
 * since, or if another row has the new name.
 */
export async function replaceNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  row: Row,
  change: Partial<Row> & { readonly name: string },
  audit: AuditRow,
): Promise<boolean> {
  const isTaken = sql`EXISTS (SELECT 1 FROM ${table} other WHERE other.tenant = ${row.tenant}
    AND other.name = ${change.name} AND other.deleted_at IS NULL AND other.id <> ${row.id})`;
  const isUnchanged = and(
    live(table, row.tenant),
    eq(table.id, row.id),
    eq(table.updatedAt, row.updatedAt),
    sql`NOT ${isTaken}`,
  );
  const replace = db.update<SQLiteTable>(table).set(change).where(isUnchanged);
  const [result] = await db.batch([replace, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

/** Marks the row as deleted. */
export async function deleteNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  { tenant, id }: Row,
  at: number,
  audit: AuditRow,
): Promise<void> {
  const markDeleted = db
    .update(table)
    .set({ deletedAt: at })
    .where(and(live(table, tenant), eq(table.id, id)));
  await db.batch([markDeleted, auditIfChanged(db, audit)]);
}

/** Returns the condition for rows of the tenant that are not deleted. */
export function live(table: NamedTable, tenant: string): SQL | undefined {
  return and(eq(table.tenant, tenant), isNull(table.deletedAt));
}

async function findOne<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  condition: SQL | undefined,
): Promise<Row | null> {
  const row = await db.select().from<SQLiteTable>(table).where(condition).get();
  return (row as Row | undefined) ?? null; // the query selects all columns of the table
}
