// Erases executions from the catalog. An erased row is kept for some days without personal data, with a higher seq than
// any late projection. Then the row is deleted, and with it the rows of runs that were projected late.
import { and, eq, sql } from "drizzle-orm";
import type { AuditRow, ExecutionRow } from "#schema/engine/projection.ts";
import { ERASURE_KEPT_MS } from "#schema/limits/upkeep/retention.ts";
import { insertAuditStatement } from "../audit.ts";
import type { Db } from "../db.ts";
import { deleteValues } from "../executions/search-variables.ts";
import { deleteRecipients } from "../runs/recipients.ts";
import { executions } from "../tables/executions.ts";
import { runs } from "../tables/runs.ts";

/**
 * Empties the execution's row and deletes its runs. A missing row is inserted as erased. The caller passes null for
 * `audit` if the execution's object has projected the audit row.
 */
export async function eraseRows(db: Db, row: ExecutionRow, at: number, audit: AuditRow | null): Promise<void> {
  const { tenant, id, createdAt, seq } = row;
  const emptied = {
    correlationId: null,
    reason: null,
    error: null,
    states: [],
    wakeAt: null,
    quarantine: null,
    subject: null,
    errors: null,
    search: null,
    waits: null,
    errorCode: null,
  };
  const mark = { ...emptied, quarantinedAt: null, erasedAt: at };
  const execution = db
    .insert(executions)
    .values({ ...row, ...mark })
    .onConflictDoUpdate({
      target: [executions.tenant, executions.createdAt, executions.id],
      set: { ...mark, status: row.status, finishedAt: row.finishedAt, seq: sql`max(seq, ${seq})` },
    });
  const ofIncarnation = eq(runs.incarnation, createdAt);
  const deleteRuns = db.delete(runs).where(and(eq(runs.tenant, tenant), eq(runs.execution, id), ofIncarnation));
  const values = deleteValues(db, sql`SELECT ${tenant}, ${createdAt}, ${id}`);
  const ofExecution = sql`SELECT tenant, execution, id FROM runs
    WHERE tenant = ${tenant} AND execution = ${id} AND incarnation = ${createdAt}`;
  const statements = [deleteRecipients(db, ofExecution), values, execution, deleteRuns] as const;
  if (audit === null) await db.batch(statements);
  else await db.batch([...statements, insertAuditStatement(db, audit)]);
}

/** Deletes up to `limit` erased rows that were kept long enough; returns the number of deleted rows. */
export async function purgeErased(db: Db, now: number, limit: number): Promise<number> {
  const marked = sql`SELECT tenant, created_at, id FROM executions INDEXED BY executions_erased
    WHERE erased_at < ${now - ERASURE_KEPT_MS} ORDER BY erased_at LIMIT ${limit}`;
  const late = sql`SELECT r.tenant, r.execution, r.id FROM (${marked}) e CROSS JOIN runs r
    WHERE r.tenant = e.tenant AND r.execution = e.id AND r.incarnation = e.created_at LIMIT ${limit}`;
  await deleteRecipients(db, late);
  const lateRuns = await db.run(sql`DELETE FROM ${runs} WHERE (tenant, execution, id) IN (${late})`);
  if (lateRuns.meta.changes >= limit) return lateRuns.meta.changes;
  const deleted = await db.run(sql`DELETE FROM ${executions} WHERE (tenant, created_at, id) IN (${marked})`);
  return lateRuns.meta.changes + deleted.meta.changes;
}
