// Cancels tasks that their execution no longer needs. Their status becomes `withdrawn`. A task that was completed
// meanwhile is canceled too, if its execution has not received the completion yet.
import { and, eq, inArray, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { taskId } from "#schema/ids.ts";
import { engineAudit } from "../audit.ts";
import type { Db } from "../db.ts";
import { tasks } from "../tables/tasks.ts";
import type { StoredTask } from "./tasks.ts";

export type Withdrawal = { readonly at: number; readonly by: string; readonly reason: string | null };

/** Finds the task that a run created in this incarnation of its execution; null if there is none. */
export async function taskOfRun(
  db: Db,
  { tenant, execution, run, incarnation }: Pick<StoredTask, "tenant" | "execution" | "run" | "incarnation">,
): Promise<StoredTask | null> {
  const names = [taskId(execution, run), taskId(execution, run, incarnation)];
  const where = and(eq(tasks.tenant, tenant), inArray(tasks.id, names), eq(tasks.incarnation, incarnation));
  return (await db.select().from(tasks).where(where).get()) ?? null;
}

/** Cancels a task. Returns false if the execution has already received the task's completion. */
export async function withdrawTask(
  db: Db,
  task: Pick<StoredTask, "tenant" | "id">,
  withdrawal: Withdrawal,
  audit: AuditRow,
): Promise<boolean> {
  const isPending = or(eq(tasks.status, "open"), and(isNull(tasks.delivery), ne(tasks.status, "withdrawn")));
  const [done] = await db.batch([update(db, task, withdrawal, isPending), engineAudit(db, audit)]);
  return done.meta.changes > 0;
}

/**
 * Cancels an open task at the request of the execution that created it. Returns false for a task that a person has
 * completed; that task stays completed.
 */
export async function withdrawOpenTask(
  db: Db,
  task: Pick<StoredTask, "tenant" | "id">,
  withdrawal: Withdrawal,
  audit: AuditRow,
): Promise<boolean> {
  const [done] = await db.batch([update(db, task, withdrawal, eq(tasks.status, "open")), engineAudit(db, audit)]);
  return done.meta.changes > 0;
}

function update(
  db: Db,
  { tenant, id }: Pick<StoredTask, "tenant" | "id">,
  { at, by, reason }: Withdrawal,
  condition: SQL | undefined,
) {
  return db
    .update(tasks)
    .set({
      status: "withdrawn",
      result: null,
      reason,
      closedBy: by,
      // The engine itself closed the task.
      closedByVerified: true,
      closedAt: sql`max(${at}, ${tasks.createdAt})`,
      updatedAt: sql`max(${at}, ${tasks.updatedAt})`,
      // The execution itself caused the cancellation, so it is not notified.
      delivery: "delivered",
    })
    .where(and(eq(tasks.tenant, tenant), eq(tasks.id, id), condition));
}
