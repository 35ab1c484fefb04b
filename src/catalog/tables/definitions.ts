// Definitions as a drizzle table: one row per version.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

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
    /** Placement of executions started with a key, as in the first version. */
    keyedPlacement: text("keyed_placement", { enum: ["own", "pooled"] }).notNull(),
    /** When it was published last; null if only at creation. */
    publishedAt: integer("published_at"),
    /** Why its name may not resolve to it; null if it may. */
    withheld: text("withheld", { enum: ["draft", "rolled_back"] }),
    /** Not read by lists. */
    body: text("body").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.name, t.version] }),
    uniqueIndex("definitions_id").on(t.tenant, t.id),
    index("definitions_published")
      .on(t.tenant, t.name, sql`coalesce(published_at, created_at)`, t.version)
      .where(sql`archived_at IS NULL AND withheld IS NULL`),
  ],
);
