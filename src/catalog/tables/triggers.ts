// Table of triggers.
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { triggerKinds } from "#schema/inbound/started-by.ts";
import type { TriggerSettings, TriggerStanding } from "#schema/inbound/trigger.ts";

/** Settings contain names of secrets, never the secrets' values. */
export const triggers = sqliteTable(
  "triggers",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    kind: text("kind", { enum: triggerKinds }).notNull(),
    namespace: text("namespace").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    labels: text("labels", { mode: "json" }).$type<{ readonly [label: string]: string }>().notNull(),
    standing: text("credentials", { mode: "json" }).$type<TriggerStanding>().notNull(),
    /** The last column, because it is large: reading the other columns avoids SQLite's overflow pages. */
    settings: text("settings", { mode: "json" }).$type<TriggerSettings>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("triggers_name")
      .on(t.tenant, t.name)
      .where(sql`deleted_at IS NULL`),
  ],
);
