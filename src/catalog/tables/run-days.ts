// Tables of days. The sweeper samples the queue depth, and projections count errors. Earlier versions count the runs in
// the other columns; this version only reads them.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

const count = (name: string) => integer(name).notNull().default(0);

export const runDays = sqliteTable(
  "run_days",
  {
    tenant: text("tenant").notNull(),
    /** The number of days since 1970-01-01, in UTC. */
    day: integer("day").notNull(),
    total: count("total"),
    successful: count("successful"),
    failed: count("failed"),
    /** The failed runs with an invalid configuration, which no retry can fix. */
    refused: count("refused"),
    retried: count("retried"),
    tookMs: count("took_ms"),
    /** The number of runs whose durations `tookMs` adds up. */
    timed: count("timed"),
    depthMax: count("depth_max"),
    depthSum: count("depth_sum"),
    depthSamples: count("depth_samples"),
    /** Counters by action type, as JSON. policy/metrics/earlier-counters.ts reads them. */
    byType: text("by_type", { mode: "json" }).$type<{ readonly [name: string]: number }>(),
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
