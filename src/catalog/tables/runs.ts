// Table of runs: the latest row that each execution has projected of each run.
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
    /**
     * When the execution was created, in epoch ms. It distinguishes this execution from a later execution that reuses
     * the id after the retention.
     */
    incarnation: integer("incarnation").notNull(),
    namespace: text("namespace").notNull(),
    definition: text("definition").notNull(),
    correlationId: text("correlation_id"),
    action: text("action").notNull(),
    type: text("type").notNull(),
    status: text("status", { enum: runStatuses }).notNull(),
    attempt: integer("attempt").notNull(),
    priority: integer("priority").notNull(),
    createdAt: integer("created_at").notNull(),
    dueAt: integer("due_at"),
    finishedAt: integer("finished_at"),
    errorType: text("error_type"),
    errorCode: text("error_code"),
    error: text("error"),
    reason: text("reason"),
    deadLetter: integer("dead_letter", { mode: "boolean" }).notNull(),
    handled: integer("handled", { mode: "boolean" }).notNull(),
    /**
     * The id of the connection that the last failed attempt used; null if it used none. `selfHeal`: whether the action
     * allows automatic retry after a recovery.
     */
    connection: text("connection"),
    selfHeal: integer("auto_retry", { mode: "boolean" }),
    costEstimate: real("cost_estimate"),
    /** What the figures have counted of the run, as JSON; null for a successful run, and in rows of earlier versions. */
    counted: text("counted"),
    /** The recipients of the run's message, in their normal form; null if it sends no e-mail and no SMS. */
    recipients: text("recipients", { mode: "json" }).$type<string[]>(),
    /** The labels of the action; null without labels. */
    tags: text("tags", { mode: "json" }).$type<string[]>(),
    /** The connection that the run's config names; null if it names none. */
    uses: text("uses"),
    /** Why the run is held: the reason of its hold, or "operator"; null if it is not held. */
    held: text("held"),
    /** The duration of the last attempt in ms; null if no attempt has ended. */
    tookMs: integer("took_ms"),
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

/** The recipients of messages: one row for each recipient of a run. */
export const runRecipients = sqliteTable(
  "run_recipients",
  {
    tenant: text("tenant").notNull(),
    recipient: text("recipient").notNull(),
    /** When the run was created, in epoch ms. */
    createdAt: integer("created_at").notNull(),
    execution: text("execution").notNull(),
    run: text("run").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.recipient, t.createdAt, t.execution, t.run] })],
);
