// Table of bulk operations. While an operation runs, only its Durable Object stores the progress; the row is updated
// when the operation ends.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { operationStatuses, operationVerbs, type OperationFilter, type OperationTotals } from "#schema/operation.ts";
import type { ExecutionCommand, StopCondition, AutomaticStop } from "#schema/engine/execution-command.ts";

export const operations = sqliteTable(
  "operations",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    verb: text("verb", { enum: operationVerbs }).notNull(),
    filter: text("filter", { mode: "json" }).$type<OperationFilter>().notNull(),
    perSecond: integer("per_second").notNull(),
    reason: text("reason"),
    /** The actor who started the operation, in the format of the audit table. */
    actor: text("actor").notNull(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
    status: text("status", { enum: operationStatuses }).notNull(),
    counts: text("counts", { mode: "json" }).$type<OperationTotals>().notNull(),
    /**
     * Only for an operation over executions: the command for each execution, and the condition that stops the operation
     * automatically.
     */
    asked: text("request", { mode: "json" }).$type<{
      readonly steer: ExecutionCommand;
      readonly stopAt?: StopCondition;
      readonly ifState?: string;
    }>(),
    stopped: text("stopped", { mode: "json" }).$type<AutomaticStop>(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.id] }), index("operations_created").on(t.tenant, t.createdAt, t.id)],
);
