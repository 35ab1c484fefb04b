// Tenants as drizzle sees them.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const tenants = sqliteTable("tenants", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
  /** How long the summary of a finished execution stays in lists. */
  retentionDays: integer("retention_days").notNull(),
});
