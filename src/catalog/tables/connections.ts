// Table of connections.
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Attention } from "#schema/gate.ts";
import type { ConnectionSettings } from "#schema/connection.ts";

/** Settings contain names of secrets, never the secrets' values. */
export const connections = sqliteTable(
  "connections",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    provider: text("provider").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** Why the provider rejects the account; null if the provider accepts it. */
    attention: text("attention", { mode: "json" }).$type<Attention>(),
    /** The last column, because it is large: reading the other columns avoids SQLite's overflow pages. */
    settings: text("settings", { mode: "json" }).$type<ConnectionSettings>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("connections_name")
      .on(t.tenant, t.name)
      .where(sql`deleted_at IS NULL`),
  ],
);
