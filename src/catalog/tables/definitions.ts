// Definitions as drizzle sees them: one row a version.
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
    /** Where executions started with a key live, as the first version says. */
    keyedPlacement: text("keyed_placement", { enum: ["own", "pooled"] }).notNull(),
    /** When it was published last; null where that was as it was created. */
    publishedAt: integer("published_at"),
    /** Why it is not what its name may mean; null where it may. */
    withheld: text("withheld", { enum: ["draft", "rolled_back"] }),
    /** Lists leave it out. */
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
