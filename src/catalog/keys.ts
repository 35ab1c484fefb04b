// Stores, finds and revokes API keys. Only a hash of each key's secret is stored, so a copy of the table gives no
// access.
import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { insertIfRoom, runInsert, type InsertResult } from "./quotas.ts";
import { keys } from "./tables/keys.ts";

export type Key = typeof keys.$inferSelect;

/** Inserts a key, unless the tenant's quota of keys is used up. */
export async function insertKey(db: Db, row: Key, audit: AuditRow): Promise<InsertResult> {
  return runInsert(db, "keys", row.tenant, insertIfRoom(db, keys, "keys", row), audit);
}

/** Finds the key of a request. This is the only lookup without a tenant, because the secret identifies the tenant. */
export async function findKeyByHash(db: Db, hash: string): Promise<Key | null> {
  return withAllScopes(await db.select().from(keys).where(eq(keys.hash, hash)).get());
}

export async function findKey(db: Db, tenant: string, id: string): Promise<Key | null> {
  const ofTenant = and(eq(keys.tenant, tenant), eq(keys.id, id));
  return withAllScopes(await db.select().from(keys).where(ofTenant).get());
}

/** Lists keys, newest first: ids sort by creation time. */
export async function listKeys(
  db: Db,
  tenant: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<Key>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select()
    .from(keys)
    .where(and(eq(keys.tenant, tenant), after.value === null ? undefined : lt(keys.id, after.value[0])))
    .orderBy(desc(keys.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, (last) => [last.id]);
  return accept({ ...page, data: page.data.map(withImpliedScope) });
}

function withAllScopes(row: Key | undefined): Key | null {
  return row === undefined ? null : withImpliedScope(row);
}

/** Adds the scope `payloads` to a key that is older than this scope and may read. */
export function withImpliedScope(row: Key): Key {
  if (row.exactScopes !== null || !row.scopes.includes("read")) return row;
  return { ...row, scopes: [...row.scopes, "payloads"] };
}

/** Revokes a key. Returns false if it is already revoked, or if the tenant has no such key. */
export async function revokeKey(db: Db, tenant: string, id: string, at: number, audit: AuditRow): Promise<boolean> {
  const revoke = db
    .update(keys)
    .set({ revokedAt: at })
    .where(and(eq(keys.tenant, tenant), eq(keys.id, id), isNull(keys.revokedAt)));
  const [result] = await db.batch([revoke, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}
