// Publications as a drizzle table: one row per change of the version that a definition's name resolves to.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const publications = sqliteTable(
  "publications",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    /** Increases by one within the name, without gaps. */
    number: integer("number").notNull(),
    at: integer("at").notNull(),
    verb: text("verb", { enum: ["published", "rolled_back", "archived"] }).notNull(),
    /** The version that the name resolves to from here on; null if no version is eligible. */
    version: integer("version"),
    /** The version before; null if there was none. */
    was: integer("was"),
    actor: text("actor").notNull(),
    reason: text("reason"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.number] })],
);
