// Table of publications: one row for each change of the version that a definition's name resolves to.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const publications = sqliteTable(
  "publications",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    /** The publication's number within the name. It starts at 1 and increases by one without gaps. */
    number: integer("number").notNull(),
    at: integer("at").notNull(),
    verb: text("verb", { enum: ["published", "rolled_back", "archived"] }).notNull(),
    /** The version that the name resolves to after this change; null if no version is eligible. */
    version: integer("version"),
    /** The version that the name resolved to before this change; null if there was none. */
    was: integer("was"),
    actor: text("actor").notNull(),
    reason: text("reason"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.number] })],
);
