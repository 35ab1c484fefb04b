// Escalates tasks that were open for too long: each task is reassigned once, as its config defines.
import { and, eq, isNull } from "drizzle-orm";
import type { AuditRow } from "#schema/engine/projection.ts";
import { engineAudit } from "../audit.ts";
import type { Db } from "../db.ts";
import { tasks } from "../tables/tasks.ts";
import type { StoredTask } from "./tasks.ts";

/**
 * Escalates an open task and returns it. A task that was already escalated is returned unchanged. Returns null if the
 * task is closed.
 */
export async function escalateTask(
  db: Db,
  { tenant, id }: StoredTask,
  now: number,
  audit: AuditRow,
): Promise<StoredTask | null> {
  const it = and(eq(tasks.tenant, tenant), eq(tasks.id, id));
  const [found] = await db.select().from(tasks).where(it);
  const to = found?.body.escalateTo;
  if (!found || found.status !== "open") return null;
  if (!to || found.escalatedAt !== null) return found;
  const { assignee: escalatedFrom } = found;
  const set = { assignee: to.assignee, priority: to.priority ?? found.priority, escalatedAt: now, escalatedFrom };
  const asFound = and(it, eq(tasks.status, "open"), isNull(tasks.escalatedAt));
  const [, , after] = await db.batch([
    db
      .update(tasks)
      .set({ ...set, updatedAt: now })
      .where(asFound),
    engineAudit(db, audit),
    db.select().from(tasks).where(it),
  ]);
  return after[0]?.status === "open" ? after[0] : null;
}
