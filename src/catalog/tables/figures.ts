// Table of figures: counters of runs and executions. Projections write the fresh rows; the sweeper folds them into the
// other rows.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * fresh: not yet folded, `at` is an hour since 1970. hour, day: `at` is the hour or the day. total: everything since the
 * first figure, `at` is 0.
 */
export const figureSteps = ["fresh", "hour", "day", "total"] as const;
export type FigureStep = (typeof figureSteps)[number];

export const figures = sqliteTable(
  "figures",
  {
    tenant: text("tenant").notNull(),
    step: text("step", { enum: figureSteps }).notNull(),
    /**
     * The definition's name. Empty: all definitions of the tenant; such rows have one group per action type. `*`: the
     * definitions beyond the limit.
     */
    definition: text("definition").notNull(),
    at: integer("at").notNull(),
    /** 0 in rows of several versions. */
    version: integer("version").notNull(),
    /** The instants of the first and of the last counted event, in epoch ms. */
    since: integer("since").notNull(),
    newest: integer("newest").notNull(),
    /** The groups of counters, as JSON. schema/metrics/counter-names.ts defines their names. */
    counters: text("counters").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.step, t.definition, t.at, t.version] })],
);
