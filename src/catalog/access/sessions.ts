// Stores, finds, lists and ends browser sessions. A session acts as the API key that opened it.
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged, insertAuditStatement } from "../audit.ts";
import type { Db } from "../db.ts";
import { type Key, withImpliedScope } from "../keys.ts";
import { decodeCursor, pageOf, type Page } from "../page.ts";
import { keys, sessions } from "../tables/keys.ts";

export type Session = typeof sessions.$inferSelect;

/** Inserts a session, and deletes the oldest sessions of its key beyond `max`. */
export async function insertSession(db: Db, row: Session, max: number, audit: AuditRow): Promise<void> {
  const dropOldest = db.delete(sessions).where(sql`(tenant, id) IN (
    SELECT tenant, id FROM ${sessions} WHERE tenant = ${row.tenant} AND key = ${row.key}
    ORDER BY id DESC LIMIT -1 OFFSET ${max})`);
  await db.batch([db.insert(sessions).values(row), dropOldest, insertAuditStatement(db, audit)]);
}

/** Finds the session of a cookie and its key. The secret identifies the tenant. */
export async function findSessionByHash(db: Db, hash: string): Promise<{ session: Session; key: Key } | null> {
  const isOwn = and(eq(keys.tenant, sessions.tenant), eq(keys.id, sessions.key));
  const row = await db
    .select({ session: sessions, key: keys })
    .from(sessions)
    .innerJoin(keys, isOwn)
    .where(eq(sessions.hash, hash))
    .get();
  return row === undefined ? null : { session: row.session, key: withImpliedScope(row.key) };
}

/** Lists the sessions that have not expired, the newest first. */
export async function listSessions(
  db: Db,
  { tenant, now, cursor, limit }: { tenant: string; now: number; cursor: string | null; limit: number },
): Promise<Result<Page<Session>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const isBefore = after.value === null ? undefined : lt(sessions.id, after.value[0]);
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.tenant, tenant), gt(sessions.expiresAt, now), isBefore))
    .orderBy(desc(sessions.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.id]));
}

export async function findSession(db: Db, tenant: string, id: string): Promise<Session | null> {
  const isIt = and(eq(sessions.tenant, tenant), eq(sessions.id, id));
  return (await db.select().from(sessions).where(isIt).get()) ?? null;
}

export async function deleteSession(db: Db, tenant: string, id: string, audit: AuditRow): Promise<void> {
  const isIt = and(eq(sessions.tenant, tenant), eq(sessions.id, id));
  await db.batch([db.delete(sessions).where(isIt), auditIfChanged(db, audit)]);
}

/** Deletes up to `limit` expired sessions; returns their number. */
export async function purgeSessions(db: Db, now: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM ${sessions} WHERE (tenant, id) IN
      (SELECT tenant, id FROM sessions WHERE expires_at <= ${now} LIMIT ${limit})`);
  return result.meta.changes;
}
