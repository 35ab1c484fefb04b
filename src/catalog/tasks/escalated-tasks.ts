// Escalates tasks that have been open for too long. Each task is reassigned once, to the assignee that its config
// names.
import { and, eq, isNull } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { engineAudit } from "../audit.ts";
import type { Db } from "../db.ts";
import { tasks } from "../tables/tasks.ts";
import type { StoredTask } from "./tasks.ts";

/**
 * Escalates an open task and returns it. Returns a task that was already escalated unchanged. Returns null if the task
 * is closed.
 */
export async function escalateTask(
  db: Db,
  { tenant, id }: StoredTask,
  now: number,
  audit: AuditRow,
): Promise<StoredTask | null> {
  const isTask = and(eq(tasks.tenant, tenant), eq(tasks.id, id));
  const [task] = await db.select().from(tasks).where(isTask);
  const to = task?.body.escalateTo;
  if (!task || task.status !== "open") return null;
  if (!to || task.escalatedAt !== null) return task;
  const { assignee: escalatedFrom } = task;
  const set = { assignee: to.assignee, priority: to.priority ?? task.priority, escalatedAt: now, escalatedFrom };
  const isUnchanged = and(isTask, eq(tasks.status, "open"), isNull(tasks.escalatedAt));
  const [, , after] = await db.batch([
    db
      .update(tasks)
      .set({ ...set, updatedAt: now })
      .where(isUnchanged),
    engineAudit(db, audit),
    db.select().from(tasks).where(isTask),
  ]);
  return after[0]?.status === "open" ? after[0] : null;
}
