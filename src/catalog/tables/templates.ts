// Message templates as a drizzle table: one row per version.
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
    /** Last, so that reading the columns before it avoids the overflow pages. */
    body: text("body").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.version] })],
);
