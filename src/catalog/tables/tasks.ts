// Tasks as a drizzle table.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "#schema/json.ts";
import { taskStatuses, type TaskBody } from "#schema/task.ts";

/** The id is the run's own, so that a repeated run finds its task. */
export const tasks = sqliteTable(
  "tasks",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    execution: text("execution").notNull(),
    /** When that execution was created: an id may be reused after retention. */
    incarnation: integer("incarnation").notNull(),
    run: text("run").notNull(),
    action: text("action").notNull(),
    status: text("status", { enum: taskStatuses }).notNull(),
    title: text("title").notNull(),
    assignee: text("assignee"),
    /** A higher number is more urgent; null if not given. */
    priority: integer("priority"),
    dueAt: integer("due_at"),
    escalatedAt: integer("escalated_at"),
    /** The assignee before the escalation. */
    escalatedFrom: text("escalated_from"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    closedAt: integer("closed_at"),
    closedBy: text("closed_by"),
    reason: text("reason"),
    /** "delivered", or the code of the execution's refusal; null until the execution has been notified. */
    delivery: text("delivery"),
    /** Also null if the result is JSON's null. */
    result: text("result", { mode: "json" }).$type<Json>(),
    /** Last, so that reading the other columns avoids the overflow pages. */
    body: text("body", { mode: "json" }).$type<TaskBody>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    index("tasks_created").on(t.tenant, t.createdAt, t.id),
    index("tasks_undelivered")
      .on(t.closedAt)
      .where(sql`delivery IS NULL AND closed_at IS NOT NULL`),
  ],
);
