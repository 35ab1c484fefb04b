// Runs as drizzle sees them: the rows that executions tell of their runs.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { runStatuses } from "#schema/engine/run.ts";

export const runs = sqliteTable(
  "runs",
  {
    tenant: text("tenant").notNull(),
    execution: text("execution").notNull(),
    id: text("id").notNull(),
    seq: integer("seq").notNull(),
    action: text("action").notNull(),
    type: text("type").notNull(),
    status: text("status", { enum: runStatuses }).notNull(),
    attempt: integer("attempt").notNull(),
    priority: integer("priority").notNull(),
    createdAt: integer("created_at").notNull(),
    dueAt: integer("due_at"),
    finishedAt: integer("finished_at"),
    errorType: text("error_type"),
    error: text("error"),
    reason: text("reason"),
    deadLetter: integer("dead_letter", { mode: "boolean" }).notNull(),
    costEstimate: real("cost_estimate"),
    namespace: text("namespace").notNull().default("default"),
    definition: text("definition").notNull().default(""),
    correlationId: text("correlation_id"),
    errorCode: text("error_code"),
    life: integer("life").notNull().default(0),
    handled: integer("handled", { mode: "boolean" }).notNull().default(false),
    /** Of a dead letter: the connection that it failed over, and whether its action lets it go out again by itself. */
    connection: text("connection"),
    selfHeal: integer("self_heal", { mode: "boolean" }),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.execution, t.id] }),
    index("runs_dead")
      .on(t.tenant, t.finishedAt, t.execution, t.id)
      .where(sql`dead_letter = 1`),
    index("runs_waiting")
      .on(t.tenant, t.finishedAt, t.execution, t.id)
      .where(sql`dead_letter = 1 AND handled = 0`),
  ],
);
