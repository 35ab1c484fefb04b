// Tables of recurring actions, of their names, and of the totals of deleted recurring actions.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import { recurringStatuses, type StartedOccurrence } from "#schema/recurring/state.ts";

export const recurring = sqliteTable(
  "recurring",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    namespace: text("namespace").notNull(),
    seq: integer("seq").notNull(),
    status: text("status", { enum: recurringStatuses }).notNull(),
    statusReason: text("status_reason"),
    nextAt: integer("next_at"),
    wakeAt: integer("wake_at"),
    lastAt: integer("last_at"),
    count: integer("count").notNull(),
    failed: integer("failed").notNull(),
    lastError: text("last_error"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    fingerprint: text("fingerprint").notNull(),
    spec: text("spec", { mode: "json" }).$type<RecurringSpec>().notNull(),
    /**
     * When the recurring action was deleted, in epoch ms; null if it was not. Its object may not know about the
     * deletion yet.
     */
    deletedAt: integer("deleted_at"),
    /** The latest started occurrences, the oldest first; null in rows of earlier versions. */
    recent: text("recent", { mode: "json" }).$type<readonly StartedOccurrence[]>(),
    /** The calendars that the recurring action follows, each with the time of its dates; null if there are none. */
    calendars: text("calendars", { mode: "json" }).$type<{ readonly [name: string]: number }>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    index("recurring_calendars")
      .on(t.tenant, t.id)
      .where(sql`calendars IS NOT NULL AND deleted_at IS NULL`),
  ],
);

export const recurringGone = sqliteTable("recurring_deleted", {
  tenant: text("tenant").notNull().primaryKey(),
  dispatched: integer("dispatched").notNull(),
  errors: integer("errors").notNull(),
});

/** The optional names of live recurring actions. */
export const recurringNames = sqliteTable(
  "recurring_names",
  { tenant: text("tenant").notNull(), name: text("name").notNull(), id: text("id").notNull() },
  (t) => [primaryKey({ columns: [t.tenant, t.name] })],
);
