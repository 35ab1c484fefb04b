// Tenants as a drizzle table.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OwnLimits } from "#schema/quota.ts";

export const tenants = sqliteTable(
  "tenants",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    /** How long the summary of a finished execution stays in the catalog. */
    retentionDays: integer("retention_days").notNull(),
    /** Quotas that differ from their default. */
    limits: text("limits", { mode: "json" }).$type<OwnLimits>(),
    /** Null: not suspended. */
    suspendedAt: integer("suspended_at"),
    suspendedReason: text("suspended_reason"),
    /** The origins from which browsers may call. Null: none. */
    origins: text("origins", { mode: "json" }).$type<readonly string[]>(),
    /** Its pool of cells (schema/placement/tenant-pool.ts). */
    poolSize: integer("pool_size").notNull().default(1),
    /** Counts its changes. */
    poolEpoch: integer("pool_epoch").notNull().default(0),
    /** Every size that it ever had: their sum, as a bit set. */
    poolLayers: integer("pool_layers").notNull().default(1),
    /** When its size was last known to be needed. Null: never checked. */
    poolNeededAt: integer("pool_needed_at"),
  },
  (t) => [
    index("tenants_suspended")
      .on(t.id)
      .where(sql`suspended_at IS NOT NULL`),
    index("tenants_pooled")
      .on(t.poolNeededAt)
      .where(sql`pool_size <> 1`),
  ],
);
