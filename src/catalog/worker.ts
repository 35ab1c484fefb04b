// Queries for the status of the installation: counts of runs by status, and columns that the code uses but the database
// lacks.
import { sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import type { RunStatus } from "#schema/engine/run.ts";
import type { Db } from "./db.ts";
import { audit } from "./tables/audit.ts";
import { definitions } from "./tables/definitions.ts";
import { executions } from "./tables/executions.ts";
import { keys } from "./tables/keys.ts";
import { runs } from "./tables/runs.ts";
import { tasks } from "./tables/tasks.ts";
import { tenants } from "./tables/tenants.ts";

export type RunCount = {
  readonly status: RunStatus;
  readonly count: number;
  /**
   * `oldestAt`: the creation time of the oldest of these runs. `since`: the creation time of the oldest execution that
   * was read.
   */
  readonly oldestAt: number;
  readonly since: number;
};

/**
 * Counts the runs of executions created since `since`. At most `runsMax` runs are read, of the newest executions first.
 */
export async function countRuns(db: Db, tenant: string, since: number, runsMax: number): Promise<readonly RunCount[]> {
  return db.all<RunCount>(sql`
    SELECT status, count(*) AS count, min(made_at) AS oldestAt, min(begun_at) AS since FROM (
      SELECT r.status AS status, r.created_at AS made_at, e.created_at AS begun_at FROM executions e CROSS JOIN runs r
      WHERE e.tenant = ${tenant} AND e.created_at >= ${since} AND r.tenant = e.tenant AND r.execution = e.id
      ORDER BY e.created_at DESC, e.id DESC LIMIT ${runsMax})
    GROUP BY status`);
}

/**
 * The tables that requests use most. The same migrations create all other tables, so the database lacks no column if
 * these tables are complete.
 */
const checkedTables = [tenants, keys, definitions, executions, runs, tasks, audit].map((table) =>
  getTableConfig(table),
);

/** Returns the columns (`table.column`) that the code uses and the database lacks. */
export async function missingColumns(db: Db): Promise<readonly string[]> {
  const queries = checkedTables.map(({ name }) => db.$client.prepare(`PRAGMA table_info(${name})`));
  const found = await db.$client.batch<{ name: string }>(queries);
  return checkedTables.flatMap(({ name, columns }, n) => {
    const existing = new Set(found[n]?.results.map((column) => column.name));
    return columns.filter((column) => !existing.has(column.name)).map((column) => `${name}.${column.name}`);
  });
}
