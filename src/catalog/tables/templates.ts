// Message templates as drizzle sees them: one row a version.
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
    /** Last, so that reading the columns before it stays off the overflow pages. */
    body: text("body").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.version] })],
);
