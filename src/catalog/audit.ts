// Stores and lists audit rows: which actor changed which resource, and why. Rows are never changed; old rows are
// purged.
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { audit } from "./tables/audit.ts";

export type AuditFilters = {
  readonly actor?: string | undefined;
  readonly person?: string | undefined;
  readonly verb?: string | undefined;
  readonly target?: string | undefined;
};

export async function insertAudit(db: Db, row: AuditRow): Promise<void> {
  await insertAuditStatement(db, row);
}

/** Returns a statement that always writes the audit row, even if the other statements of the batch change no row. */
export function insertAuditStatement(db: Db, row: AuditRow) {
  return db.insert(audit).values(row).onConflictDoNothing();
}

/** Returns a statement that writes the audit row only if the statement before it in the batch changed a row. */
export function auditIfChanged(db: Db, row: AuditRow) {
  const statement = engineAudit(db, row);
  audits.add(statement);
  return statement;
}

/**
 * Like `auditIfChanged`, for a change that the engine makes itself. Only a client's audit row marks a stored response
 * as changed, so this row does not.
 */
export function engineAudit(db: Db, row: AuditRow) {
  const values = Object.keys(getTableColumns(audit)).map((field) => sql`${row[field as keyof AuditRow] ?? null}`); // the column fields have the same names as the row's fields
  return db.insert(audit).select(sql`SELECT ${sql.join(values, sql`, `)} WHERE changes() > 0`);
}

/**
 * Returns whether the statement inserts the audit row of a client's change. If it does, the next statement can read
 * with `changes()` whether the row was inserted.
 */
export function isAudit(statement: object): boolean {
  return audits.has(statement);
}

const audits = new WeakSet<object>();

/** Lists audit rows, newest first. */
export async function listAudit(
  db: Db,
  tenant: string,
  filters: AuditFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<AuditRow>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select()
    .from(audit)
    .where(
      and(
        eq(audit.tenant, tenant),
        after.value === null ? undefined : sql`(at, id) < (${after.value[0]}, ${after.value[1]})`,
        filters.actor === undefined ? undefined : eq(audit.actor, filters.actor),
        filters.person === undefined ? undefined : eq(audit.person, filters.person),
        filters.verb === undefined ? undefined : eq(audit.verb, filters.verb),
        filters.target === undefined ? undefined : eq(audit.target, filters.target),
      ),
    )
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.at, last.id]));
}

/** Deletes up to `limit` old audit rows of all tenants; returns the number of deleted rows. */
export async function purgeAudit(db: Db, before: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM audit WHERE (tenant, at, id) IN
      (SELECT a.tenant, a.at, a.id FROM tenants t CROSS JOIN audit a WHERE a.tenant = t.id AND a.at < ${before}
        LIMIT ${limit})`);
  return result.meta.changes;
}
