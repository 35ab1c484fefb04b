// Connections: one row each, changed in place. A reference is a name or an id; what was deleted is found by neither.
import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { isIdOf } from "#schema/ids.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { connections } from "./tables/connections.ts";

export type StoredConnection = typeof connections.$inferSelect;

/** False: the name is taken, and nothing changed. */
export async function insertConnection(db: Db, row: StoredConnection, audit: AuditRow): Promise<boolean> {
  const insert = db.insert(connections).values(row).onConflictDoNothing();
  const [result] = await db.batch([insert, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

export async function findConnection(db: Db, tenant: string, ref: string): Promise<StoredConnection | null> {
  const named = isIdOf("con", ref) ? eq(connections.id, ref) : eq(connections.name, ref);
  return (
    (await db
      .select()
      .from(connections)
      .where(and(mine(tenant), named))
      .get()) ?? null
  );
}

/** Those of a provider, by name: a few are enough to say that there is more than one. */
export async function connectionsOf(db: Db, tenant: string, provider: string): Promise<readonly StoredConnection[]> {
  const theirs = and(mine(tenant), eq(connections.provider, provider));
  return db.select().from(connections).where(theirs).orderBy(asc(connections.name)).limit(5);
}

/** By name. */
export async function listConnections(
  db: Db,
  tenant: string,
  provider: string | null,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredConnection>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const page = after.value === null ? undefined : gt(connections.name, after.value[0]);
  const only = provider === null ? undefined : eq(connections.provider, provider);
  const rows = await db
    .select()
    .from(connections)
    .where(and(mine(tenant), only, page))
    .orderBy(asc(connections.name))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.name]));
}

export async function countConnections(db: Db, tenant: string): Promise<number> {
  return db.$count(connections, mine(tenant));
}

/** Changes the row that was read, and no other: false where it has changed since, is gone, or the name is taken. */
export async function replaceConnection(
  db: Db,
  row: StoredConnection,
  updatedBefore: number,
  audit: AuditRow,
): Promise<boolean> {
  const { name, settings, updatedAt } = row;
  const isTaken = sql`EXISTS (SELECT 1 FROM connections other WHERE other.tenant = ${row.tenant}
    AND other.name = ${name} AND other.deleted_at IS NULL AND other.id <> ${row.id})`;
  const replace = db
    .update(connections)
    .set({ name, settings, updatedAt })
    .where(
      and(mine(row.tenant), eq(connections.id, row.id), eq(connections.updatedAt, updatedBefore), sql`NOT ${isTaken}`),
    );
  const [result] = await db.batch([replace, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

export async function deleteConnection(db: Db, tenant: string, id: string, at: number, audit: AuditRow): Promise<void> {
  const gone = db
    .update(connections)
    .set({ deletedAt: at })
    .where(and(mine(tenant), eq(connections.id, id)));
  await db.batch([gone, auditIfChanged(db, audit)]);
}

function mine(tenant: string) {
  return and(eq(connections.tenant, tenant), isNull(connections.deletedAt));
}
