// Table of prices: one row per tenant.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Amounts by action type, or by type and provider: `{ "email": 0.001, "sms/twilio": 0.0079 }`. */
export const prices = sqliteTable("prices", {
  tenant: text("tenant").primaryKey(),
  currency: text("currency").notNull(),
  updatedAt: integer("updated_at").notNull(),
  amounts: text("amounts", { mode: "json" }).$type<{ readonly [of: string]: number }>().notNull(),
});
