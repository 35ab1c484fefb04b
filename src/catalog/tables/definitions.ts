// Table of definitions: one row per version.
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
    /**
     * The placement of executions that are started with an Idempotency-Key. It is the placement of the definition's
     * first version.
     */
    keyedPlacement: text("keyed_placement", { enum: ["own", "pooled"] }).notNull(),
    /**
     * When a publish request last published the version, in epoch ms. Null if no publish request named it; its creation
     * may have published it.
     */
    publishedAt: integer("published_at"),
    /** Why the name cannot resolve to this version; null if it can. */
    withheld: text("withheld", { enum: ["draft", "rolled_back"] }),
    /** The definition as JSON. Lists do not read it. */
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
