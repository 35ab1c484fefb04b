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
    /** Lists read the columns before it only: so they stay off the overflow pages. */
    body: text("body").notNull(),
    /** Where executions started with a key live, whatever this version says; null in rows from before there was this. */
    keyedPlacement: text("keyed_placement", { enum: ["own", "pooled"] }),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.version] }), uniqueIndex("definitions_id").on(t.tenant, t.id)],
);
