// Table of definition caps: the allowance of each cap in the version that a definition's name resolves to.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const definitionCaps = sqliteTable(
  "definition_caps",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    cap: text("cap").notNull(),
    version: integer("version").notNull(),
    /** The maximum and the window as a text, such as "3 per 7 days". Equal allowances have equal texts. */
    allowance: text("allowance").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.name, t.cap] }),
    index("definition_caps_allowance").on(t.tenant, t.cap, t.allowance),
  ],
);
