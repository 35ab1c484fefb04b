// Table of message templates: one row per version.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const templates = sqliteTable(
  "templates",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    hash: text("hash").notNull(),
    createdAt: integer("created_at").notNull(),
    archivedAt: integer("archived_at"),
    /** The last column, because it is large: reading the columns before it avoids SQLite's overflow pages. */
    body: text("body").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.version] })],
);
