// Tables of executions: the latest row that each execution has projected, and the search variables.
import { sql } from "drizzle-orm";
import { customType, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { triggerKinds } from "#schema/inbound/started-by.ts";
import { searchTypes, type SearchValues } from "#schema/search/search-variables.ts";
import { executionStatuses } from "#schema/engine/state.ts";

export const executions = sqliteTable(
  "executions",
  {
    tenant: text("tenant").notNull(),
    createdAt: integer("created_at").notNull(),
    id: text("id").notNull(),
    seq: integer("seq").notNull(),
    namespace: text("namespace").notNull(),
    definitionId: text("definition_id").notNull(),
    definitionName: text("definition_name").notNull(),
    definitionVersion: integer("definition_version").notNull(),
    placement: text("placement", { enum: ["own", "pooled"] }).notNull(),
    status: text("status", { enum: executionStatuses }).notNull(),
    states: text("states", { mode: "json" }).$type<string[]>().notNull(),
    correlationId: text("correlation_id"),
    updatedAt: integer("updated_at").notNull(),
    finishedAt: integer("finished_at"),
    wakeAt: integer("wake_at"),
    reason: text("reason"),
    error: text("error"),
    /**
     * How many times the sweeper has checked the execution since its last projection. `checkAt`: when the sweeper
     * checks it again (epoch ms).
     */
    checks: integer("checks"),
    checkAt: integer("check_at"),
    /**
     * Why the execution's cell has quarantined it; null if it is not quarantined. `quarantinedAt`: when the cell
     * reported that.
     */
    quarantine: text("quarantine"),
    quarantinedAt: integer("quarantined_at"),
    /** When the execution was erased, in epoch ms; null if it was not erased. An erased row has no personal data. */
    erasedAt: integer("erased_at"),
    /** The id of the trigger that started the execution; null if no trigger did. */
    triggerId: text("trigger_id"),
    triggerKind: text("trigger_kind", { enum: triggerKinds }),
    /** The key of the subject that the execution is about; null without a subject, or after the subject was erased. */
    subject: text("subject"),
    nextAt: integer("next_at"),
    nextNode: text("next_node"),
    /** The id of the parent execution; null if the execution has no parent. */
    parent: text("parent"),
    /** How many permanent failures the execution has had, and the last message; null without failures. */
    errors: text("errors", { mode: "json" }).$type<{ count: number; last: string | null }>(),
    /** The values of the search variables, by name; null if the definition declares none. Dates are epoch ms. */
    search: text("search", { mode: "json" }).$type<SearchValues>(),
    /** The names of the waits, such as "timer"; null after the end. */
    waits: text("waits", { mode: "json" }).$type<string[]>(),
    /** The code of the error that ended the execution, or of its last permanent failure; null without an error. */
    errorCode: text("error_code"),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.createdAt, t.id] }),
    // This index and the next one leave out completed executions, so the projection of a completed execution writes one
    // row only.
    index("executions_status")
      .on(t.tenant, t.status, t.createdAt, t.id)
      .where(sql`status <> 'completed'`),
    index("executions_wake")
      .on(t.wakeAt)
      .where(sql`wake_at IS NOT NULL AND finished_at IS NULL`),
    index("executions_erased")
      .on(t.erasedAt)
      .where(sql`erased_at IS NOT NULL`),
    index("executions_trigger")
      .on(t.tenant, t.triggerId, t.createdAt, t.id)
      .where(sql`trigger_id IS NOT NULL`),
    index("executions_subject")
      .on(t.tenant, t.subject, t.createdAt, t.id)
      .where(sql`subject IS NOT NULL`),
    index("executions_next")
      .on(t.tenant, t.definitionName, t.nextAt, t.createdAt, t.id)
      .where(sql`subject IS NOT NULL AND next_at IS NOT NULL`),
    index("executions_parent")
      .on(t.tenant, t.parent, t.id)
      .where(sql`parent IS NOT NULL`),
    index("executions_quarantine")
      .on(t.tenant, t.createdAt, t.id)
      .where(sql`quarantine IS NOT NULL`),
    index("executions_correlation")
      .on(t.tenant, t.correlationId, t.createdAt, t.id)
      .where(sql`correlation_id IS NOT NULL`),
    index("executions_error")
      .on(t.tenant, t.errorCode, t.createdAt, t.id)
      .where(sql`error_code IS NOT NULL`),
    index("executions_overdue")
      .on(t.tenant, t.createdAt, t.id)
      .where(sql`check_at IS NOT NULL`),
    index("executions_unknown")
      .on(t.tenant, t.id)
      .where(sql`definition_id = 'unknown'`),
  ],
);

/** A column that stores texts and numbers as they are, so that numbers are compared as numbers. */
const textOrNumber = customType<{ data: string | number }>({ dataType: () => "any" });

export const executionVariables = sqliteTable(
  "execution_variables",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    /** The value; a date is in epoch ms. */
    value: textOrNumber("value").notNull(),
    createdAt: integer("created_at").notNull(),
    execution: text("execution").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.value, t.createdAt, t.execution] })],
);

export const searchVariables = sqliteTable(
  "search_variables",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    type: text("type", { enum: searchTypes }).notNull(),
    definition: text("definition").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.type, t.definition] })],
);
