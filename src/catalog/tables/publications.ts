// What each definition's name has meant, as drizzle sees it: a row each time that it came to mean something else.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const publications = sqliteTable(
  "publications",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    /** Counted up within the name, without gaps. */
    number: integer("number").notNull(),
    at: integer("at").notNull(),
    verb: text("verb", { enum: ["published", "rolled_back", "archived"] }).notNull(),
    /** What the name means from here on; null where nothing is left that it may mean. */
    version: integer("version"),
    /** What it meant until then; null where that was nothing. */
    was: integer("was"),
    actor: text("actor").notNull(),
    reason: text("reason"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.number] })],
);
