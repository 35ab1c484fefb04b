// Table of tasks.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "#schema/json.ts";
import { taskStatuses, type TaskBody } from "#schema/task.ts";

/** A task's id is derived from its run, so that a repeated run finds the task that it created. */
export const tasks = sqliteTable(
  "tasks",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    execution: text("execution").notNull(),
    /**
     * When the execution was created, in epoch ms. It distinguishes this execution from a later execution that reuses
     * the id after the retention.
     */
    incarnation: integer("incarnation").notNull(),
    run: text("run").notNull(),
    action: text("action").notNull(),
    status: text("status", { enum: taskStatuses }).notNull(),
    title: text("title").notNull(),
    assignee: text("assignee"),
    /** The task's priority: a higher number is more urgent. Null if none was set. */
    priority: integer("priority"),
    dueAt: integer("due_at"),
    escalatedAt: integer("escalated_at"),
    /** The assignee before the escalation; null if the task was not escalated. */
    escalatedFrom: text("escalated_from"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    closedAt: integer("closed_at"),
    closedBy: text("closed_by"),
    reason: text("reason"),
    /**
     * `delivered`, or the code with which the execution refused the completion; null until the execution has been
     * notified.
     */
    delivery: text("delivery"),
    /** The result of a completed task, which may be JSON null; null for a task that is not completed. */
    result: text("result", { mode: "json" }).$type<Json>(),
    /** Behind the other columns, because it is large: reading them avoids SQLite's overflow pages. */
    body: text("body", { mode: "json" }).$type<TaskBody>().notNull(),
    /**
     * True: the key of the request proves `closedBy`. False: the client wrote it. Null: the task is open.
     * A migration added the column, so it comes last.
     */
    closedByVerified: integer("closed_by_verified", { mode: "boolean" }),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    index("tasks_created").on(t.tenant, t.createdAt, t.id),
    index("tasks_undelivered")
      .on(t.closedAt)
      .where(sql`delivery IS NULL AND closed_at IS NOT NULL`),
  ],
);
