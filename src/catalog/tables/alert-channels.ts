// Table of alert channels.
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AlertChannelSettings } from "#schema/alert.ts";

/** Settings contain names of secrets, never the secrets' values. */
export const alertChannels = sqliteTable(
  "alert_channels",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** The last column, because it is large: reading the columns before it avoids SQLite's overflow pages. */
    settings: text("settings", { mode: "json" }).$type<AlertChannelSettings>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("alert_channels_name")
      .on(t.tenant, t.name)
      .where(sql`deleted_at IS NULL`),
  ],
);
