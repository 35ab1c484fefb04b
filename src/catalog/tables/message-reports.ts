// Tables of reports about messages: the reports, the delivery statuses of runs, and the counters by day.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const messageReports = sqliteTable(
  "message_reports",
  {
    tenant: text("tenant").notNull(),
    execution: text("execution").notNull(),
    run: text("run").notNull(),
    id: text("id").notNull(),
    incarnation: integer("incarnation").notNull(),
    kind: text("kind").notNull(),
    at: integer("at").notNull(),
    recipient: text("recipient"),
    receivedAt: integer("received_at").notNull(),
    /** The id of the request that brought the report. The statements of this request count the rows that it wrote. */
    request: text("request").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.execution, t.run, t.id] }),
    index("message_reports_received").on(t.receivedAt),
  ],
);

export const messageStatuses = sqliteTable(
  "message_statuses",
  {
    tenant: text("tenant").notNull(),
    execution: text("execution").notNull(),
    run: text("run").notNull(),
    incarnation: integer("incarnation").notNull(),
    rank: integer("rank").notNull(),
    kind: text("kind").notNull(),
    at: integer("at").notNull(),
    attempt: integer("attempt"),
    recipient: text("recipient"),
    messageId: text("message_id"),
    code: text("code"),
    reason: text("reason"),
    /** The number of stored reports. */
    reports: integer("reports").notNull(),
    /** The number of reports by kind. */
    counts: text("counts", { mode: "json" }).$type<{ readonly [kind: string]: number }>().notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.execution, t.run] })],
);

export const messageDays = sqliteTable(
  "message_days",
  {
    tenant: text("tenant").notNull(),
    day: integer("day").notNull(),
    definition: text("definition").notNull(),
    kind: text("kind").notNull(),
    n: integer("n").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.day, t.definition, t.kind] })],
);
