// Finds and purges execution rows. Only projections.ts writes new states. The files in `executions/` list them by filters.
import { and, desc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { DEAD_LETTER_KEPT_MS } from "#schema/limits/run-attempts.ts";
import { CHECK_RESULTS_ROWS } from "#schema/limits/upkeep/sweeps.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { withVersion } from "./publications/definition-filter.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import {
  columnExpressions,
  filterConditions,
  projectedColumns,
  type ExecutionFilters,
} from "./executions/execution-filters.ts";
import { deleteRecipients } from "./runs/recipients.ts";
import { deleteValues } from "./executions/search-variables.ts";
import { executions } from "./tables/executions.ts";
import { runs } from "./tables/runs.ts";

/** Names the indexes for SQLite. D1 has no statistics, so SQLite would otherwise walk all executions of the tenant. */
const bySubject = sql`${executions} INDEXED BY executions_subject`;
const byNext = sql`${executions} INDEXED BY executions_next`;

/** Lists the executions of subjects that wake before `nextBefore`, the earliest wake first. `definition` is a name. */
export async function listUpcoming(
  db: Db,
  tenant: string,
  asked: ExecutionFilters & { readonly definition: string; readonly nextBefore: number },
  cursor: string | null,
  limit: number,
): Promise<Result<Page<ExecutionRow>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.number(), z.string()]));
  if (!after.ok) return after;
  const { definition, nextBefore, ...filters } = withVersion(asked);
  const rows = await db
    .select(columnExpressions)
    .from(byNext)
    .where(
      and(
        eq(executions.tenant, tenant),
        eq(executions.definitionName, definition),
        sql`subject IS NOT NULL AND next_at IS NOT NULL`,
        lt(executions.nextAt, nextBefore),
        after.value === null
          ? undefined
          : sql`(next_at, created_at, id) > (${after.value[0]}, ${after.value[1]}, ${after.value[2]})`,
        ...filterConditions(filters),
      ),
    )
    .orderBy(executions.nextAt, executions.createdAt, executions.id)
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [Number(last.nextAt), last.createdAt, last.id]));
}

/** Returns the execution of the subject that wakes next; null if none will wake. */
export async function nextOfSubject(db: Db, tenant: string, subject: string): Promise<ExecutionRow | null> {
  const upcoming = and(
    eq(executions.tenant, tenant),
    eq(executions.subject, subject),
    sql`subject IS NOT NULL AND next_at IS NOT NULL`,
    isNull(executions.erasedAt),
  );
  return (
    (await db.select(columnExpressions).from(bySubject).where(upcoming).orderBy(executions.nextAt).limit(1).get()) ??
    null
  );
}

/**
 * Returns the executions that `parent` started, by id, beginning at the id `from`. If an id was reused, the result has
 * one row for each of its executions.
 */
export async function childExecutions(
  db: Db,
  tenant: string,
  parent: string,
  from: string,
  limit: number,
): Promise<readonly ExecutionRow[]> {
  const childKeys = sql`SELECT tenant, created_at, id FROM executions INDEXED BY executions_parent
    WHERE tenant = ${tenant} AND parent = ${parent} AND parent IS NOT NULL AND id >= ${from} ORDER BY id LIMIT ${limit}`;
  const notErased = and(sql`(tenant, created_at, id) IN (${childKeys})`, isNull(executions.erasedAt));
  return db.select(projectedColumns).from(executions).where(notErased).orderBy(executions.id);
}

/** Empties the subject column of up to `limit` executions of an erased subject; returns the number of changed rows. */
export async function removeSubject(db: Db, tenant: string, subject: string, limit: number): Promise<number> {
  const ofSubject = sql`SELECT tenant, created_at, id FROM executions INDEXED BY executions_subject
    WHERE tenant = ${tenant} AND subject = ${subject} AND subject IS NOT NULL LIMIT ${limit}`;
  const done = await db.run(sql`UPDATE executions SET subject = NULL WHERE (tenant, created_at, id) IN (${ofSubject})`);
  return done.meta.changes;
}

/**
 * Finds the row of an execution, for example after its object was deleted. `createdAt` is the range of possible
 * creation times; null: any time.
 */
export async function findExecution(
  db: Db,
  tenant: string,
  id: string,
  createdAt: { readonly from: number; readonly to: number } | null,
): Promise<ExecutionRow | null> {
  const between =
    createdAt && and(gte(executions.createdAt, createdAt.from), lt(executions.createdAt, createdAt.to + 1));
  const ofExecution = and(eq(executions.tenant, tenant), eq(executions.id, id), between ?? undefined);
  // If several executions used the id, the row of the latest one is returned.
  return (
    (await db
      .select(projectedColumns)
      .from(executions)
      .where(ofExecution)
      .orderBy(desc(executions.createdAt))
      .limit(1)
      .get()) ?? null
  );
}

export type OverdueRow = Pick<ExecutionRow, "tenant" | "createdAt" | "id" | "seq" | "wakeAt"> & {
  /** How often the sweeper checked the execution without progress; null if never. */
  readonly checks: number | null;
};

/**
 * Returns live executions that should have woken before `before` and are due for a check, the longest overdue first.
 */
export async function overdueExecutions(
  db: Db,
  { before, now }: { readonly before: number; readonly now: number },
  limit: number,
): Promise<readonly OverdueRow[]> {
  const { tenant, createdAt, id, seq, wakeAt, checks } = executions;
  return db
    .select({ tenant, createdAt, id, seq, wakeAt, checks })
    .from(executions)
    .where(
      and(
        sql`wake_at IS NOT NULL AND finished_at IS NULL`,
        lt(wakeAt, before),
        sql`(check_at IS NULL OR check_at <= ${now})`,
        // Executions of suspended tenants cannot wake, so they are left out until the tenant is resumed.
        sql`tenant NOT IN (SELECT id FROM tenants WHERE suspended_at IS NOT NULL)`,
      ),
    )
    .orderBy(wakeAt)
    .limit(limit);
}

/**
 * The result of checking an overdue execution. `nextWakeAt`: when the execution will actually wake. `checkAt`: when the
 * sweeper checks it again if it is still overdue.
 */
export type OverdueCheck = OverdueRow & { readonly nextWakeAt: number | null; readonly checkAt: number | null };

/** Stores the results of checks. A row that was projected since it was read is not changed. */
export async function noteChecks(db: Db, checks: readonly OverdueCheck[]): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(checks.length / CHECK_RESULTS_ROWS) }, (_, n) =>
    checks.slice(n * CHECK_RESULTS_ROWS, (n + 1) * CHECK_RESULTS_ROWS),
  );
  for (const chunk of chunks) await storeChecks(db, chunk);
}

async function storeChecks(db: Db, checks: readonly OverdueCheck[]): Promise<void> {
  await db.run(sql`
    UPDATE executions SET wake_at = j.value ->> '$.nextWakeAt', check_at = j.value ->> '$.checkAt',
      checks = CASE WHEN j.value ->> '$.checkAt' IS NULL THEN NULL ELSE coalesce(checks, 0) + 1 END
    FROM json_each(${JSON.stringify(checks)}) j
    WHERE executions.tenant = j.value ->> '$.tenant' AND executions.created_at = j.value ->> '$.createdAt'
      AND executions.id = j.value ->> '$.id' AND executions.seq = j.value ->> '$.seq'
      AND executions.wake_at IS j.value ->> '$.wakeAt'`);
}

/**
 * Purges finished executions beyond the tenant's retention: first up to `limit` of their runs, then executions without
 * runs. Returns the number of deleted rows. Executions with a dead letter that can still be retried are kept. CROSS
 * JOIN makes SQLite read tenants first, then the oldest executions of each. The plus signs keep SQLite from using the
 * index of all dead letters.
 */
export async function purgeExecutions(db: Db, now: number, limit: number): Promise<number> {
  const keptSince = sql`${now} - t.retention_days * 86400000`;
  const expired = await db.all<{ tenant: string; createdAt: number; id: string; finishedAt: number }>(sql`
    SELECT e.tenant AS tenant, e.created_at AS createdAt, e.id AS id, e.finished_at AS finishedAt
    FROM tenants t CROSS JOIN executions e
    WHERE e.tenant = t.id AND e.created_at < ${keptSince} AND e.finished_at < ${keptSince}
      AND NOT EXISTS (SELECT 1 FROM runs d WHERE d.tenant = e.tenant AND d.execution = e.id
        AND d.incarnation = e.created_at AND +d.dead_letter = 1 AND +d.handled = 0 AND +d.finished_at > ${now - DEAD_LETTER_KEPT_MS})
    LIMIT ${limit}`);
  if (expired.length === 0) return 0;
  const list = JSON.stringify(expired);
  const ofExpired = sql`SELECT r.tenant, r.execution, r.id FROM json_each(${list}) j CROSS JOIN runs r
    WHERE r.tenant = j.value ->> '$.tenant' AND r.execution = j.value ->> '$.id'
      AND r.incarnation = j.value ->> '$.createdAt' LIMIT ${limit}`;
  await deleteRecipients(db, ofExpired);
  const deletedRuns = await db.run(sql`DELETE FROM ${runs} WHERE (tenant, execution, id) IN (${ofExpired})`);
  if (deletedRuns.meta.changes >= limit) return deletedRuns.meta.changes;
  const keys = sql`SELECT value ->> '$.tenant', value ->> '$.createdAt', value ->> '$.id' FROM json_each(${list})`;
  // The values are found by the rows, so they are deleted first.
  await deleteValues(db, keys);
  const rows = await db.run(sql`DELETE FROM ${executions} WHERE (tenant, created_at, id) IN (${keys})`);
  return deletedRuns.meta.changes + rows.meta.changes;
}
