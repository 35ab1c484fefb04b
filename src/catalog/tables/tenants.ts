// Table of tenants.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OwnLimits } from "#schema/quota.ts";

export const tenants = sqliteTable(
  "tenants",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    /** How many days the catalog keeps the row of a finished execution. */
    retentionDays: integer("retention_days").notNull(),
    /** The tenant's own quotas; a quota that is not listed has its default. */
    limits: text("limits", { mode: "json" }).$type<OwnLimits>(),
    /** When the tenant was suspended, in epoch ms; null if it is not suspended. */
    suspendedAt: integer("suspended_at"),
    suspendedReason: text("suspended_reason"),
    /** The origins from which browsers may call the API; null: none. */
    origins: text("origins", { mode: "json" }).$type<readonly string[]>(),
    /** The number of cells in the tenant's current pool (schema/placement/tenant-pool.ts). */
    poolSize: integer("pool_size").notNull().default(1),
    /** The number of changes of the pool's size. */
    poolEpoch: integer("pool_epoch").notNull().default(0),
    /** The sum of all sizes that the pool ever had. Sizes are powers of two, so the sum identifies the set of sizes. */
    poolLayers: integer("pool_layers").notNull().default(1),
    /** When a cell last reported that the pool needs its size, in epoch ms; null if none has. */
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
