// Table of suppressed addresses.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ReasonSources, SuppressionChannel } from "#schema/outgoing/suppression.ts";

export const suppressions = sqliteTable(
  "suppressions",
  {
    tenant: text("tenant").notNull(),
    channel: text("channel").$type<SuppressionChannel>().notNull(),
    /** The address in its normal form; for push messages, the SHA-256 of the token or endpoint. */
    address: text("address").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    reasons: text("reasons", { mode: "json" }).$type<ReasonSources>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.channel, t.address] })],
);
