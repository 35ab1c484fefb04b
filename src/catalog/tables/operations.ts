// Bulk operations as a drizzle table.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { operationStatuses, operationVerbs, type OperationFilter, type OperationTotals } from "#schema/operation.ts";
import type { Steer, StopAt, Stopped } from "#schema/engine/steering.ts";

/** While an operation runs, its object has the progress; the row is updated at the end. */
export const operations = sqliteTable(
  "operations",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    verb: text("verb", { enum: operationVerbs }).notNull(),
    filter: text("filter", { mode: "json" }).$type<OperationFilter>().notNull(),
    perSecond: integer("per_second").notNull(),
    reason: text("reason"),
    /** As in the audit table. */
    actor: text("actor").notNull(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
    status: text("status", { enum: operationStatuses }).notNull(),
    counts: text("counts", { mode: "json" }).$type<OperationTotals>().notNull(),
    /** For an operation over executions: the verb applied to each, and when it stops automatically. */
    asked: text("request", { mode: "json" }).$type<{
      readonly steer: Steer;
      readonly stopAt?: StopAt;
      readonly ifState?: string;
    }>(),
    stopped: text("stopped", { mode: "json" }).$type<Stopped>(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.id] }), index("operations_created").on(t.tenant, t.createdAt, t.id)],
);
