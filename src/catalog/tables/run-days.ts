// Daily run counters as drizzle tables: counted by projections, sampled by the sweeper.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

const count = (name: string) => integer(name).notNull().default(0);

export const runDays = sqliteTable(
  "run_days",
  {
    tenant: text("tenant").notNull(),
    /** Days since 1970, UTC. */
    day: integer("day").notNull(),
    total: count("total"),
    successful: count("successful"),
    failed: count("failed"),
    /** Of those failed: because of their config, which no retry fixes. */
    refused: count("refused"),
    retried: count("retried"),
    tookMs: count("took_ms"),
    /** How many runs `tookMs` includes. */
    timed: count("timed"),
    depthMax: count("depth_max"),
    depthSum: count("depth_sum"),
    depthSamples: count("depth_samples"),
    /** Counters by type of action, as JSON: see projections/run-endings.ts. */
    byType: text("by_type"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.day] })],
);

export const runDayErrors = sqliteTable(
  "run_day_errors",
  {
    tenant: text("tenant").notNull(),
    day: integer("day").notNull(),
    type: text("type").notNull(),
    failed: integer("failed").notNull(),
    lastError: text("last_error"),
    lastAt: integer("last_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.day, t.type] })],
);
