// What connections and alert channels have in common: one row each, with a name that no other of the tenant's has, and
// changed in place. What was deleted is found no more, and its name is free again.
import { and, asc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { KeptQuota } from "#schema/quota.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { insertIfRoom, keep, type Kept } from "./quotas.ts";

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
/** A table of rows with names. */
export type Named<Row extends NamedRow> = NamedTable & { readonly $inferSelect: Row };

/** Not made: the name is taken, or there is room for no more. */
export async function insertNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  quota: KeptQuota,
  row: Row,
  audit: AuditRow,
): Promise<Kept> {
  return keep(db, quota, row.tenant, insertIfRoom(db, table, quota, row).onConflictDoNothing(), audit);
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

/** By name; `only` leaves some out. */
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
  const found = rows as Row[]; // all columns of the table
  return accept(pageOf(found, limit, (last) => [last.name]));
}

/** Changes the row that was read, and no other: false where it has changed since, is gone, or the name is taken. */
export async function replaceNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  row: Row,
  change: Partial<Row> & { readonly name: string },
  audit: AuditRow,
): Promise<boolean> {
  const isTaken = sql`EXISTS (SELECT 1 FROM ${table} other WHERE other.tenant = ${row.tenant}
    AND other.name = ${change.name} AND other.deleted_at IS NULL AND other.id <> ${row.id})`;
  const isAsRead = and(
    live(table, row.tenant),
    eq(table.id, row.id),
    eq(table.updatedAt, row.updatedAt),
    sql`NOT ${isTaken}`,
  );
  const replace = db.update<SQLiteTable>(table).set(change).where(isAsRead);
  const [result] = await db.batch([replace, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

export async function deleteNamed<Row extends NamedRow>(
  db: Db,
  table: Named<Row>,
  { tenant, id }: Row,
  at: number,
  audit: AuditRow,
): Promise<void> {
  const gone = db
    .update(table)
    .set({ deletedAt: at })
    .where(and(live(table, tenant), eq(table.id, id)));
  await db.batch([gone, auditIfChanged(db, audit)]);
}

export function live(table: NamedTable, tenant: string): SQL | undefined {
  return and(eq(table.tenant, tenant), isNull(table.deletedAt));
}

async function findOne<Row extends NamedRow>(db: Db, table: Named<Row>, meant: SQL | undefined): Promise<Row | null> {
  const row = await db.select().from<SQLiteTable>(table).where(meant).get();
  return (row as Row | undefined) ?? null; // all columns of the table
}
