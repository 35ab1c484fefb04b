// Executions: the read model, for searches and lists only. Written by projections.ts only.
import { and, desc, eq, getTableColumns, gt, gte, isNull, lt, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isIdOf } from "#schema/ids.ts";
import { DEAD_LETTER_KEPT_MS } from "#schema/limits.ts";
import { LOOKS_NOTED_ROWS } from "#schema/limits/upkeep.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { executions } from "./tables/executions.ts";
import { runs } from "./tables/runs.ts";

export type ExecutionFilters = {
  readonly status?: ExecutionStatus | undefined;
  /** A name, or the id of one version. */
  readonly definition?: string | undefined;
  readonly version?: number | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  /** Quarantined by their cells. */
  readonly quarantined?: boolean | undefined;
  /** Started by this trigger, by its id. */
  readonly trigger?: string | undefined;
  /** About this subject, by key. */
  readonly subject?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
};

/** Without the hint, SQLite (it has no statistics here) would walk all of a tenant's executions by their key. */
const byStatus = sql`${executions} INDEXED BY executions_status`;
const byTrigger = sql`${executions} INDEXED BY executions_trigger`;
const bySubject = sql`${executions} INDEXED BY executions_subject`;
const byNext = sql`${executions} INDEXED BY executions_next`;
const byQuarantine = sql`${executions} INDEXED BY executions_quarantine`;

function indexFor({ status, quarantined, trigger, subject }: ExecutionFilters): SQL {
  if (quarantined === true) return byQuarantine;
  if (subject !== undefined) return bySubject;
  if (trigger !== undefined) return byTrigger;
  return status === undefined || status === "completed" ? sql`${executions}` : byStatus;
}

/** The sweeper's columns are not part of the projection. */
const { checks: _looks, checkAt: _lookAt, ...told } = getTableColumns(executions);
/** Drizzle refuses plain columns of a table that is not in the query; as expressions they work. */
const columns = Object.fromEntries(
  Object.entries(told).map(([field, column]) => [field, sql`${column}`.mapWith(column)]),
) as unknown as typeof told; // decoded by the same columns

/** Newest first. */
export async function listExecutions(
  db: Db,
  tenant: string,
  filters: ExecutionFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<ExecutionRow>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select(columns)
    .from(indexFor(filters))
    .where(
      and(
        eq(executions.tenant, tenant),
        isNull(executions.erasedAt),
        after.value === null ? undefined : sql`(created_at, id) < (${after.value[0]}, ${after.value[1]})`,
        ...conditions(filters),
      ),
    )
    .orderBy(desc(executions.createdAt), desc(executions.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.createdAt, last.id]));
}

/** A subject's executions that wake before an instant, the next one first. `definition`: a name. */
export async function listUpcoming(
  db: Db,
  tenant: string,
  {
    definition,
    nextBefore,
    ...filters
  }: ExecutionFilters & { readonly definition: string; readonly nextBefore: number },
  cursor: string | null,
  limit: number,
): Promise<Result<Page<ExecutionRow>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.number(), z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select(columns)
    .from(byNext)
    .where(
      and(
        eq(executions.tenant, tenant),
        eq(executions.definitionName, definition),
        sql`subject IS NOT NULL AND next_at IS NOT NULL`,
        lt(executions.nextAt, nextBefore),
        isNull(executions.erasedAt),
        after.value === null
          ? undefined
          : sql`(next_at, created_at, id) > (${after.value[0]}, ${after.value[1]}, ${after.value[2]})`,
        ...conditions(filters),
      ),
    )
    .orderBy(executions.nextAt, executions.createdAt, executions.id)
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [Number(last.nextAt), last.createdAt, last.id]));
}

/** The subject's execution with the next wake. */
export async function nextOfSubject(db: Db, tenant: string, subject: string): Promise<ExecutionRow | null> {
  const planned = and(
    eq(executions.tenant, tenant),
    eq(executions.subject, subject),
    sql`subject IS NOT NULL AND next_at IS NOT NULL`,
    isNull(executions.erasedAt),
  );
  return (await db.select(columns).from(bySubject).where(planned).orderBy(executions.nextAt).limit(1).get()) ?? null;
}

/**
 * Executions that one has started, in the order of their ids, from a given id on. Each incarnation of a reused id is a
 * row.
 */
export async function childExecutions(
  db: Db,
  tenant: string,
  parent: string,
  from: string,
  limit: number,
): Promise<readonly ExecutionRow[]> {
  const mine = sql`SELECT tenant, created_at, id FROM executions INDEXED BY executions_parent
    WHERE tenant = ${tenant} AND parent = ${parent} AND parent IS NOT NULL AND id >= ${from} ORDER BY id LIMIT ${limit}`;
  const those = and(sql`(tenant, created_at, id) IN (${mine})`, isNull(executions.erasedAt));
  return db.select(told).from(executions).where(those).orderBy(executions.id);
}

/** Removes an erased subject from its executions. Returns the number of executions changed. */
export async function forgetSubject(db: Db, tenant: string, subject: string, limit: number): Promise<number> {
  const mine = sql`SELECT tenant, created_at, id FROM executions INDEXED BY executions_subject
    WHERE tenant = ${tenant} AND subject = ${subject} AND subject IS NOT NULL LIMIT ${limit}`;
  const done = await db.run(sql`UPDATE executions SET subject = NULL WHERE (tenant, created_at, id) IN (${mine})`);
  return done.meta.changes;
}

/** For the remains of an execution whose object is gone. `createdAt` narrows the search if the id contains it. */
export async function findExecution(
  db: Db,
  tenant: string,
  id: string,
  createdAt: { readonly from: number; readonly to: number } | null,
): Promise<ExecutionRow | null> {
  const between =
    createdAt && and(gte(executions.createdAt, createdAt.from), lt(executions.createdAt, createdAt.to + 1));
  const mine = and(eq(executions.tenant, tenant), eq(executions.id, id), between ?? undefined);
  // Of a reused id, the latest incarnation.
  return (
    (await db.select(told).from(executions).where(mine).orderBy(desc(executions.createdAt)).limit(1).get()) ?? null
  );
}

export type OverdueRow = Pick<ExecutionRow, "tenant" | "createdAt" | "id" | "seq" | "wakeAt"> & {
  /** How often it was checked without progress. */
  readonly checks: number | null;
};

/** Live executions that should have woken before an instant and are due for a check, the longest overdue first. */
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
        // Due work of a suspended tenant stays due until the tenant is resumed; then it is found here.
        sql`tenant NOT IN (SELECT id FROM tenants WHERE suspended_at IS NOT NULL)`,
      ),
    )
    .orderBy(wakeAt)
    .limit(limit);
}

/** The result of checking an overdue execution: its actual wake, and when to check again if it stays overdue. */
export type OverdueCheck = OverdueRow & { readonly nextWakeAt: number | null; readonly checkAt: number | null };

/** Rows projected meanwhile are newer, and are not changed. */
export async function noteChecks(db: Db, checks: readonly OverdueCheck[]): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(checks.length / LOOKS_NOTED_ROWS) }, (_, n) =>
    checks.slice(n * LOOKS_NOTED_ROWS, (n + 1) * LOOKS_NOTED_ROWS),
  );
  for (const chunk of chunks) await noteChunk(db, chunk);
}

async function noteChunk(db: Db, checks: readonly OverdueCheck[]): Promise<void> {
  await db.run(sql`
    UPDATE executions SET wake_at = j.value ->> '$.nextWakeAt', check_at = j.value ->> '$.checkAt',
      checks = CASE WHEN j.value ->> '$.checkAt' IS NULL THEN NULL ELSE coalesce(checks, 0) + 1 END
    FROM json_each(${JSON.stringify(checks)}) j
    WHERE executions.tenant = j.value ->> '$.tenant' AND executions.created_at = j.value ->> '$.createdAt'
      AND executions.id = j.value ->> '$.id' AND executions.seq = j.value ->> '$.seq'
      AND executions.wake_at IS j.value ->> '$.wakeAt'`);
}

/**
 * Purges one bounded chunk beyond the tenants' retention: finished executions and their runs. Runs go first, at most
 * `limit` of them; their executions follow once none are left. Returns the number of rows. CROSS JOIN keeps SQLite to
 * the written order: a few tenants, and of each the oldest end of its key. Dead letters that can still be retried stay
 * listed while their execution exists; the plus signs keep SQLite off the index of all dead runs.
 */
export async function purgeExecutions(db: Db, now: number, limit: number): Promise<number> {
  const retained = sql`${now} - t.retention_days * 86400000`;
  const stale = await db.all<{ tenant: string; createdAt: number; id: string; finishedAt: number }>(sql`
    SELECT e.tenant AS tenant, e.created_at AS createdAt, e.id AS id, e.finished_at AS finishedAt
    FROM tenants t CROSS JOIN executions e
    WHERE e.tenant = t.id AND e.created_at < ${retained} AND e.finished_at < ${retained}
      AND NOT EXISTS (SELECT 1 FROM runs d WHERE d.tenant = e.tenant AND d.execution = e.id
        AND d.incarnation = e.created_at AND +d.dead_letter = 1 AND +d.handled = 0 AND +d.finished_at > ${now - DEAD_LETTER_KEPT_MS})
    LIMIT ${limit}`);
  if (stale.length === 0) return 0;
  const list = JSON.stringify(stale);
  const gone = await db.run(sql`
    DELETE FROM ${runs} WHERE (tenant, execution, id) IN
      (SELECT r.tenant, r.execution, r.id FROM json_each(${list}) j CROSS JOIN runs r
        WHERE r.tenant = j.value ->> '$.tenant' AND r.execution = j.value ->> '$.id'
          AND r.incarnation = j.value ->> '$.createdAt' LIMIT ${limit})`);
  if (gone.meta.changes >= limit) return gone.meta.changes;
  const rows = await db.run(sql`
    DELETE FROM ${executions} WHERE (tenant, created_at, id) IN
      (SELECT value ->> '$.tenant', value ->> '$.createdAt', value ->> '$.id' FROM json_each(${list}))`);
  return gone.meta.changes + rows.meta.changes;
}

function conditions(filters: ExecutionFilters): (SQL | undefined)[] {
  const {
    status,
    definition,
    version,
    namespace,
    correlationId,
    quarantined,
    trigger,
    subject,
    createdAfter,
    createdBefore,
  } = filters;
  const pinned = isIdOf("def", definition ?? "") ? executions.definitionId : executions.definitionName;
  return [
    status && eq(executions.status, status),
    // Repeated in the words of the partial index; otherwise SQLite does not use it.
    status && status !== "completed" ? sql`status <> 'completed'` : undefined,
    definition === undefined ? undefined : eq(pinned, definition),
    version === undefined ? undefined : eq(executions.definitionVersion, version),
    namespace === undefined ? undefined : eq(executions.namespace, namespace),
    correlationId === undefined ? undefined : eq(executions.correlationId, correlationId),
    quarantined === true ? sql`quarantine IS NOT NULL` : undefined,
    trigger === undefined ? undefined : and(eq(executions.triggerId, trigger), sql`trigger_id IS NOT NULL`),
    subject === undefined ? undefined : and(eq(executions.subject, subject), sql`subject IS NOT NULL`),
    createdAfter === undefined ? undefined : gt(executions.createdAt, createdAfter),
    createdBefore === undefined ? undefined : lt(executions.createdAt, createdBefore),
  ];
}
