// Definitions as drizzle sees them: one row a version.
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const definitions = sqliteTable(
  "definitions",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    id: text("id").notNull(),
    hash: text("hash").notNull(),
    kind: text("kind").notNull(),
    createdAt: integer("created_at").notNull(),
    archivedAt: integer("archived_at"),
    /** Last, so that reading the columns before it stays off the overflow pages. */
    body: text("body").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.version] }), uniqueIndex("definitions_id").on(t.tenant, t.id)],
);
