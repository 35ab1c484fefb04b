// Stores and lists tasks. A run creates at most one task, and a task is closed once. Every change is made only if the
// task still has the status that the caller has read.
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { taskId } from "#schema/ids.ts";
import type { TaskStatus } from "#schema/task.ts";
import { auditIfChanged } from "../audit.ts";
import type { Db } from "../db.ts";
import { decodeCursor, pageOf, type Page } from "../page.ts";
import { tasks } from "../tables/tasks.ts";

export type StoredTask = typeof tasks.$inferSelect;
export type TaskFilters = {
  readonly status?: TaskStatus | undefined;
  readonly assignee?: string | undefined;
  readonly execution?: string | undefined;
  readonly dueAfter?: number | undefined;
  readonly dueBefore?: number | undefined;
};

/**
 * Inserts the task of a run and returns it. If the run has created its task before, that task is returned. If an
 * earlier execution with the same id has a task with this id, the new task gets an id that contains its own
 * incarnation.
 */
export async function insertTask(db: Db, row: StoredTask): Promise<StoredTask> {
  const { tenant, id, execution, run, incarnation } = row;
  const incarnationId = taskId(execution, run, incarnation);
  const isSameIncarnation = eq(tasks.incarnation, incarnation);
  const exists = (name: string, condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM tasks WHERE tenant = ${tenant} AND id = ${name} AND ${condition})`;
  const [, , stored] = await db.batch([
    insertWhere(db, row, sql`NOT ${exists(incarnationId, sql`true`)}`),
    insertWhere(db, { ...row, id: incarnationId }, exists(id, sql`NOT ${isSameIncarnation}`)),
    db
      .select()
      .from(tasks)
      .where(and(eq(tasks.tenant, tenant), inArray(tasks.id, [id, incarnationId]), isSameIncarnation)),
  ]);
  return stored[0] ?? row;
}

function insertWhere(db: Db, row: StoredTask, condition: SQL) {
  const columns = Object.entries(getTableColumns(tasks));
  const values = columns.map(([field, column]) => sql`${sql.param(row[field as keyof StoredTask], column)}`); // the column fields have the same names as the row's fields
  return db
    .insert(tasks)
    .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition}`)
    .onConflictDoNothing();
}

export async function findTask(db: Db, tenant: string, id: string): Promise<StoredTask | null> {
  return (await db.select().from(tasks).where(isTask(tenant, id)).get()) ?? null;
}

/** Lists tasks, newest first. */
export async function listTasks(
  db: Db,
  tenant: string,
  filters: TaskFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredTask>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select()
    .from(tasks)
    .where(
      and(
        eq(tasks.tenant, tenant),
        after.value === null ? undefined : sql`(created_at, id) < (${after.value[0]}, ${after.value[1]})`,
        ...conditions(filters),
      ),
    )
    .orderBy(desc(tasks.createdAt), desc(tasks.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.createdAt, last.id]));
}

/** Closes an open task; returns false if the task was already closed. */
export async function closeTask(db: Db, row: StoredTask, audit: AuditRow): Promise<boolean> {
  const { status, result, reason, updatedAt, closedAt, closedBy, closedByVerified } = row;
  const close = db
    .update(tasks)
    .set({ status, result, reason, updatedAt, closedAt, closedBy, closedByVerified })
    .where(and(isTask(row.tenant, row.id), eq(tasks.status, "open")));
  const [done] = await db.batch([close, auditIfChanged(db, audit)]);
  return done.meta.changes > 0;
}

/** Changes the assignee of an open task; returns false if the task is closed. */
export async function reassignTask(db: Db, row: StoredTask, audit: AuditRow): Promise<boolean> {
  const { assignee, updatedAt } = row;
  const reassign = db
    .update(tasks)
    .set({ assignee, updatedAt })
    .where(and(isTask(row.tenant, row.id), eq(tasks.status, "open")));
  const [done] = await db.batch([reassign, auditIfChanged(db, audit)]);
  return done.meta.changes > 0;
}

/**
 * Stores the execution's answer to the end of the task. Returns false if the task's status has changed since it was
 * read, or if an answer is already stored.
 */
export async function noteDelivery(db: Db, { tenant, id, status }: StoredTask, delivery: string): Promise<boolean> {
  const isUnanswered = and(isTask(tenant, id), eq(tasks.status, status), isNull(tasks.delivery));
  return (await db.update(tasks).set({ delivery }).where(isUnanswered)).meta.changes > 0;
}

/** Returns closed tasks whose executions have not been notified, the longest waiting first. */
export async function undeliveredTasks(db: Db, closedBefore: number, limit: number): Promise<readonly StoredTask[]> {
  return db
    .select()
    .from(tasks)
    .where(and(isNull(tasks.delivery), isNotNull(tasks.closedAt), lt(tasks.closedAt, closedBefore)))
    .orderBy(asc(tasks.closedAt))
    .limit(limit);
}

/** Deletes up to `limit` tasks that were closed before the tenant's retention; returns the number of deleted rows. */
export async function purgeTasks(db: Db, now: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM tasks WHERE (tenant, id) IN
      (SELECT k.tenant, k.id FROM tenants t CROSS JOIN tasks k
        WHERE k.tenant = t.id AND k.created_at < ${now} - t.retention_days * 86400000
          AND k.closed_at < ${now} - t.retention_days * 86400000 LIMIT ${limit})`);
  return result.meta.changes;
}

/** Deletes all tasks of one incarnation of an execution, including open ones. */
export async function eraseTasks(db: Db, tenant: string, execution: string, incarnation: number): Promise<void> {
  const ofIncarnation = or(eq(tasks.incarnation, incarnation), isNull(tasks.incarnation));
  await db.delete(tasks).where(and(eq(tasks.tenant, tenant), ...conditions({ execution }), ofIncarnation));
}

function isTask(tenant: string, id: string): SQL | undefined {
  return and(eq(tasks.tenant, tenant), eq(tasks.id, id));
}

function conditions({ status, assignee, execution, dueAfter, dueBefore }: TaskFilters): (SQL | undefined)[] {
  return [
    status && eq(tasks.status, status),
    assignee === undefined ? undefined : eq(tasks.assignee, assignee),
    // The ids of an execution's tasks are adjacent in the primary key, so a range of ids selects these tasks.
    execution === undefined ? undefined : gte(tasks.id, taskId(execution, "")),
    execution === undefined ? undefined : lt(tasks.id, taskId(execution, ":")),
    dueAfter === undefined ? undefined : gte(tasks.dueAt, dueAfter),
    dueBefore === undefined ? undefined : lte(tasks.dueAt, dueBefore),
  ];
}
