// Tasks as drizzle sees them.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "#schema/json.ts";
import { taskStatuses, type TaskBody } from "#schema/task.ts";

/** The id is the run's own, so that a run that is tried again finds its task. */
export const tasks = sqliteTable(
  "tasks",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    execution: text("execution").notNull(),
    run: text("run").notNull(),
    action: text("action").notNull(),
    status: text("status", { enum: taskStatuses }).notNull(),
    title: text("title").notNull(),
    assignee: text("assignee"),
    dueAt: integer("due_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    closedAt: integer("closed_at"),
    closedBy: text("closed_by"),
    reason: text("reason"),
    /** What its execution made of its end: "delivered", or the refusal's code; null until it has been asked. */
    delivery: text("told"),
    /** null, too, where the result is JSON's null. */
    result: text("result", { mode: "json" }).$type<Json>(),
    /** Behind all that are often read, so that reading the columns before it stays off the overflow pages. */
    body: text("body", { mode: "json" }).$type<TaskBody>().notNull(),
    /** When the execution that asked was created; null of tasks from before that was kept. */
    life: integer("life"),
    /** How urgent it is: a higher number is more urgent. null: nobody has said. */
    priority: integer("priority"),
    escalatedAt: integer("escalated_at"),
    /** Whose it was before it was escalated. */
    escalatedFrom: text("escalated_from"),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    index("tasks_created").on(t.tenant, t.createdAt, t.id),
    index("tasks_untold")
      .on(t.closedAt)
      .where(sql`told IS NULL AND closed_at IS NOT NULL`),
  ],
);
