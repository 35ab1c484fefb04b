// Table of audit rows.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const audit = sqliteTable(
  "audit",
  {
    tenant: text("tenant").notNull(),
    at: integer("at").notNull(),
    id: text("id").notNull(),
    actor: text("actor").notNull(),
    verb: text("verb").notNull(),
    target: text("target").notNull(),
    reason: text("reason"),
    details: text("details"),
    /** The person whose key made the change; null if the key names no person. */
    person: text("person"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.at, t.id] })],
);
