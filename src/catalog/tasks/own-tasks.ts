// Reads and edits the tasks that an execution created, for actions of the same execution.
import { and, asc, eq, gte, lt } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { taskId } from "#schema/ids.ts";
import { engineAudit } from "../audit.ts";
import type { Db } from "../db.ts";
import { tasks } from "../tables/tasks.ts";
import type { StoredTask } from "./tasks.ts";

type TaskOwner = Pick<StoredTask, "tenant" | "execution" | "action" | "incarnation">;

/** Returns the open tasks of an action in one incarnation of the execution, the oldest first. */
export async function openTasksOf(
  db: Db,
  { tenant, execution, action, incarnation }: TaskOwner,
  limit: number,
): Promise<readonly StoredTask[]> {
  // The ids of an execution's tasks are adjacent in the primary key, so a range of ids selects these tasks.
  const ofExecution = and(gte(tasks.id, taskId(execution, "")), lt(tasks.id, taskId(execution, ":")));
  const isOpen = and(eq(tasks.action, action), eq(tasks.status, "open"), eq(tasks.incarnation, incarnation));
  return db
    .select()
    .from(tasks)
    .where(and(eq(tasks.tenant, tenant), ofExecution, isOpen))
    .orderBy(asc(tasks.id))
    .limit(limit);
}

/** Edits an open task; returns false if the task is closed. */
export async function editTask(db: Db, row: StoredTask, audit: AuditRow): Promise<boolean> {
  const { tenant, id, title, assignee, priority, dueAt, body, updatedAt } = row;
  const edit = db
    .update(tasks)
    .set({ title, assignee, priority, dueAt, body, updatedAt })
    .where(and(eq(tasks.tenant, tenant), eq(tasks.id, id), eq(tasks.status, "open")));
  const [done] = await db.batch([edit, engineAudit(db, audit)]);
  return done.meta.changes > 0;
}
