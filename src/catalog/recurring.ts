// Stores and lists recurring actions. Each row is the latest projection of the recurring action's Durable Object. The
// first row is inserted by the request that creates the action, because that insert also checks the quota.
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { RECURRING_RUNS_CHECKED } from "#schema/limits/recurring-actions.ts";
import type { RecurringRow } from "#schema/recurring/row.ts";
import type { WorkRow } from "#schema/recurring/work-outcome.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged, insertAuditStatement } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { insertIfRoom, quotaUse, type InsertResult } from "./quotas.ts";
import { calendarUsesOfRecurring, reopenCalendars } from "./calendars/followed-calendars.ts";
import { recurring, recurringGone, recurringNames } from "./tables/recurring.ts";

export type StoredRecurring = typeof recurring.$inferSelect;
export type RecurringFilters = {
  readonly namespace?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly status?: StoredRecurring["status"] | undefined;
  readonly label?: { readonly name: string; readonly value: string } | undefined;
};

/** Inserts a recurring action, unless its id exists, its name is taken, or the tenant's quota is used up. */
export async function insertRecurring(db: Db, row: RecurringRow, audit: AuditRow): Promise<InsertResult> {
  const { tenant, id, spec } = row;
  const name = spec.name ?? null;
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${recurringNames} WHERE ${isName(tenant, name ?? "")})`;
  const onlyIf = name === null ? undefined : isFree;
  const insert = insertIfRoom(
    db,
    recurring,
    "recurring",
    { ...row, calendars: row.calendars ?? null, deletedAt: null },
    { onlyIf },
  ).onConflictDoNothing();
  const used = quotaUse(db, "recurring", tenant);
  const named = db
    .insert(recurringNames)
    .select(sql`SELECT tenant, ${name}, id FROM ${recurring} WHERE ${isRecurring(tenant, id)} AND ${name !== null}`)
    .onConflictDoNothing();
  const [[room], result] = await db.batch([used, insert, auditIfChanged(db, audit), named, ...reopen(db, row)]);
  const added = result.meta.changes;
  return { isMade: added > 0, used: (room?.used ?? 0) + added, max: room?.max ?? 0 };
}

/** Finds the id of the live recurring action with this name. */
export async function findRecurringId(db: Db, tenant: string, name: string): Promise<string | null> {
  const row = await db.select({ id: recurringNames.id }).from(recurringNames).where(isName(tenant, name)).get();
  return row?.id ?? null;
}

/** Lists the recurring actions that have a name, by name. */
export async function listNamedRecurring(
  db: Db,
  tenant: string,
  after: string,
  limit: number,
): Promise<readonly StoredRecurring[]> {
  const rows = await db
    .select({ row: recurring })
    .from(recurringNames)
    .innerJoin(recurring, and(eq(recurring.tenant, recurringNames.tenant), eq(recurring.id, recurringNames.id)))
    .where(and(eq(recurringNames.tenant, tenant), gt(recurringNames.name, after)))
    .orderBy(asc(recurringNames.name))
    .limit(limit);
  return rows.map(({ row }) => row);
}

/** Finds a recurring action by id, including one that was deleted recently. */
export async function findRecurring(db: Db, tenant: string, id: string): Promise<StoredRecurring | null> {
  return (await db.select().from(recurring).where(isRecurring(tenant, id)).get()) ?? null;
}

/** Stores the row that the recurring action's object has just returned, unless the stored row is newer. */
export async function putRecurring(db: Db, row: RecurringRow, audit: AuditRow | null): Promise<void> {
  const isNewer = and(isRecurring(row.tenant, row.id), lt(recurring.seq, row.seq), isNull(recurring.deletedAt));
  const set = { ...row, calendars: row.calendars ?? null };
  const put = db.update(recurring).set(set).where(isNewer);
  const more = [...(audit === null ? [] : [insertAuditStatement(db, audit)]), ...reopen(db, row)];
  await (more.length === 0 ? put : db.batch([put, ...more]));
}

/** The statement that makes the sweep send newer dates to the recurring action. Empty if it follows no calendar. */
function reopen(db: Db, row: RecurringRow) {
  const uses = calendarUsesOfRecurring([row]);
  return uses === null ? [] : [reopenCalendars(db, uses)];
}

/** Lists recurring actions, newest first. */
export async function listRecurring(
  db: Db,
  tenant: string,
  { namespace, enabled, status, label }: RecurringFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredRecurring>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const active = sql`${recurring.status} = 'active'`;
  const rows = await db
    .select()
    .from(recurring)
    .where(
      and(
        eq(recurring.tenant, tenant),
        isNull(recurring.deletedAt),
        after.value === null ? undefined : sql`(created_at, id) < (${after.value[0]}, ${after.value[1]})`,
        namespace === undefined ? undefined : eq(recurring.namespace, namespace),
        enabled === undefined ? undefined : enabled ? active : sql`NOT ${active}`,
        status === undefined ? undefined : eq(recurring.status, status),
        label === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM json_each(spec, '$.labels') WHERE key = ${label.name} AND value = ${label.value})`,
      ),
    )
    .orderBy(desc(recurring.createdAt), desc(recurring.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.createdAt, last.id]));
}

/** Marks the recurring action as deleted. Returns false if it was already deleted or does not exist. */
export async function deleteRecurring(db: Db, row: StoredRecurring, at: number, audit: AuditRow): Promise<boolean> {
  const mark = db
    .update(recurring)
    .set({ deletedAt: at })
    .where(and(isRecurring(row.tenant, row.id), isNull(recurring.deletedAt)));
  const unname = db
    .delete(recurringNames)
    .where(and(isName(row.tenant, row.spec.name ?? ""), eq(recurringNames.id, row.id)));
  const [result] = await db.batch([mark, auditIfChanged(db, audit), unname]);
  return result.meta.changes > 0;
}

/**
 * Returns recurring actions of all tenants whose objects should have woken before `before`, the longest overdue first.
 */
export async function overdueRecurring(db: Db, before: number, limit: number): Promise<readonly StoredRecurring[]> {
  return db
    .select()
    .from(recurring)
    .where(and(isNull(recurring.deletedAt), eq(recurring.status, "active"), lt(recurring.wakeAt, before)))
    .orderBy(recurring.wakeAt)
    .limit(limit);
}

/**
 * Returns recurring actions deleted before `before`. The caller notifies their objects again, then deletes the rows.
 */
export async function deletedRecurring(db: Db, before: number, limit: number): Promise<readonly StoredRecurring[]> {
  return db
    .select()
    .from(recurring)
    .where(and(isNotNull(recurring.deletedAt), lt(recurring.deletedAt, before)))
    .limit(limit);
}

/** Returns recurring actions that were active when they were deleted. Their objects may not have been notified. */
export async function deletedWhileActive(db: Db, limit: number): Promise<readonly StoredRecurring[]> {
  return db
    .select()
    .from(recurring)
    .where(and(isNotNull(recurring.deletedAt), eq(recurring.status, "active")))
    .limit(limit);
}

/** Records that the object of a deleted recurring action has been notified. */
export async function markStopped(db: Db, { tenant, id }: StoredRecurring): Promise<void> {
  await db
    .update(recurring)
    .set({ status: "completed" })
    .where(and(isRecurring(tenant, id), isNotNull(recurring.deletedAt)));
}

/** Deletes the row of a deleted recurring action, after adding its counters to the tenant's totals. */
export async function deleteRecurringRow(db: Db, { tenant, id }: StoredRecurring): Promise<void> {
  await db.$client.batch(
    [ADD_TO_TOTALS, DELETE_ROW].map((statement) => db.$client.prepare(statement).bind(tenant, id)),
  );
}

const ADD_TO_TOTALS = `INSERT INTO recurring_deleted SELECT tenant, count, failed FROM recurring
  WHERE tenant = ?1 AND id = ?2 AND deleted_at IS NOT NULL
  ON CONFLICT (tenant) DO UPDATE SET dispatched = dispatched + excluded.dispatched, errors = errors + excluded.errors`;
const DELETE_ROW = "DELETE FROM recurring WHERE tenant = ?1 AND id = ?2 AND deleted_at IS NOT NULL";

export type RecurringTotals = {
  readonly tenant: string;
  readonly dispatched: number;
  readonly active: number;
  readonly errors: number;
};

/** Returns the totals of one tenant; `tenant` null: of every tenant. */
export async function recurringTotals(db: Db, tenant: string | null): Promise<readonly RecurringTotals[]> {
  const tenantCondition = tenant === null ? sql`TRUE` : sql`tenant = ${tenant}`;
  return db.all(sql`
    SELECT tenant, sum(dispatched) AS dispatched, sum(active) AS active, sum(errors) AS errors FROM (
      SELECT tenant, count AS dispatched, failed AS errors, status = 'active' AND deleted_at IS NULL AS active
        FROM ${recurring} WHERE ${tenantCondition}
      UNION ALL SELECT tenant, dispatched, errors, 0 FROM ${recurringGone} WHERE ${tenantCondition}
    ) GROUP BY tenant ORDER BY tenant LIMIT 1000`);
}

/** An execution by its id and by its creation, which is part of its key; null if the creation is unknown. */
export type ExecutionKey = readonly [execution: string, createdAt: number | null];

/**
 * Reads the status of each execution, the status and error of its first run, and the error of an open dead letter among
 * its first runs. The reads use primary keys only, so the caller bounds the number of executions.
 */
export async function readWork(db: Db, tenant: string, keys: readonly ExecutionKey[]): Promise<readonly WorkRow[]> {
  if (keys.length === 0) return [];
  const first = sql`SELECT min(f.id) FROM runs f WHERE f.tenant = ${tenant} AND f.execution = j.value ->> 0`;
  const firstRuns = sql`SELECT error, dead_letter, handled FROM runs w
    WHERE w.tenant = ${tenant} AND w.execution = j.value ->> 0 ORDER BY w.id LIMIT ${RECURRING_RUNS_CHECKED}`;
  return db.all<WorkRow>(sql`
    SELECT j.value ->> 0 AS execution, e.status AS status, e.error AS error, r.status AS run, r.error AS runError,
      (SELECT d.error FROM (${firstRuns}) d WHERE d.dead_letter = 1 AND d.handled = 0 LIMIT 1) AS deadLetter
    FROM json_each(${JSON.stringify(keys)}) j
      LEFT JOIN executions e ON e.tenant = ${tenant} AND e.created_at = j.value ->> 1 AND e.id = j.value ->> 0
      LEFT JOIN runs r ON r.tenant = ${tenant} AND r.execution = j.value ->> 0 AND r.id = (${first})
        AND r.incarnation = coalesce(j.value ->> 1, r.incarnation)`);
}

function isRecurring(tenant: string, id: string): SQL | undefined {
  return and(eq(recurring.tenant, tenant), eq(recurring.id, id));
}

function isName(tenant: string, name: string): SQL | undefined {
  return and(eq(recurringNames.tenant, tenant), eq(recurringNames.name, name));
}
