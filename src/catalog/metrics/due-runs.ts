// Finds due runs that have not started, and samples their number per tenant. Two indexes select the active executions
// and the overdue waiting executions. All other executions are never read, however many there are.
import { sql, type SQL } from "drizzle-orm";
import type { RunStatus } from "#schema/engine/run.ts";
import { DAY_MS } from "#schema/limits/upkeep/statistics.ts";
import type { Db } from "../db.ts";

export type DueRun = {
  readonly execution: string;
  readonly run: string;
  readonly status: RunStatus;
  readonly attempt: number;
  readonly priority: number;
  readonly dueAt: number | null;
};

type DueQuery = {
  readonly now: number;
  /** The maximum number of overdue executions to read. */ readonly lateMax: number;
};

/** Returns a tenant's due runs by priority, the highest first. Runs of equal priority are ordered by due time. */
export async function dueRuns(
  db: Db,
  tenant: string,
  { attemptsMax, limit, ...query }: DueQuery & { readonly attemptsMax: number; readonly limit: number },
): Promise<readonly DueRun[]> {
  return db.all<DueRun>(sql`
    SELECT execution, id AS run, status, attempt, priority, due_at AS dueAt FROM (${dueOf(tenant, query)})
    WHERE attempt - (status = 'queued') <= ${attemptsMax}
    ORDER BY priority DESC, coalesce(due_at, created_at), execution, id LIMIT ${limit}`);
}

/** Counts the tenant's due runs, up to `countedMax`. */
export async function queueDepth(
  db: Db,
  tenant: string,
  { countedMax, ...query }: DueQuery & { readonly countedMax: number },
): Promise<number> {
  const [found] = await db.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM (SELECT 1 FROM (${dueOf(tenant, query)}) LIMIT ${countedMax})`,
  );
  return found?.n ?? 0;
}

/**
 * Returns the earliest future instant (epoch ms) of a planned run or timer among the newest waiting executions; null if
 * there is none. Wakes that only archive a dead letter or delete a history are not counted.
 */
export async function nextPlannedOf(
  db: Db,
  tenant: string,
  { now, lookedMax }: { readonly now: number; readonly lookedMax: number },
): Promise<number | null> {
  const [found] = await db.all<{ at: number | null }>(sql`
    SELECT min(next_at) AS at FROM (SELECT next_at FROM executions INDEXED BY executions_status
      WHERE tenant = ${tenant} AND status = 'waiting' AND status <> 'completed'
      ORDER BY created_at DESC, id DESC LIMIT ${lookedMax})
    WHERE next_at > ${now}`);
  return found?.at ?? null;
}

type Sweep = {
  readonly now: number;
  readonly after: string;
  readonly tenantsMax: number;
  readonly lateMax: number;
  readonly countedMax: number;
};

/**
 * Adds the current queue depth of up to `tenantsMax` tenants to their daily counters: the tenants whose ids follow
 * `after`, in the order of their ids. A depth of zero is stored only for a tenant that has counters for the day. At
 * most `countedMax` runs are counted per tenant. Returns the last sampled tenant; null if no tenant follows `after`.
 */
export async function sampleDepths(
  db: Db,
  { now, after, tenantsMax, lateMax, countedMax }: Sweep,
): Promise<string | null> {
  const day = Math.floor(now / DAY_MS);
  const sampledTenants = sql`SELECT id FROM tenants WHERE id > ${after} ORDER BY id LIMIT ${tenantsMax}`;
  await db.run(sql`
    WITH late AS MATERIALIZED (SELECT e.tenant AS tenant, count(*) AS depth
      FROM (SELECT tenant, id FROM executions INDEXED BY executions_wake
        WHERE wake_at IS NOT NULL AND finished_at IS NULL AND wake_at <= ${now} AND status = 'waiting'
        ORDER BY wake_at LIMIT ${lateMax}) e ${runsOf(now)} GROUP BY e.tenant)
    INSERT INTO run_days (tenant, day, depth_max, depth_sum, depth_samples)
    SELECT id, ${day}, depth, depth, 1 FROM (
      SELECT t.id AS id, EXISTS (SELECT 1 FROM run_days d WHERE d.tenant = t.id AND d.day = ${day})
          OR EXISTS (SELECT 1 FROM figures f WHERE f.tenant = t.id AND f.step = 'fresh' AND f.at >= ${day * 24}) AS has_begun,
        (SELECT count(*) FROM (${activeDueRuns(sql`t.id`, now)} LIMIT ${countedMax})) + coalesce(late.depth, 0) AS depth
      FROM (${sampledTenants}) t LEFT JOIN late ON late.tenant = t.id)
    WHERE depth > 0 OR has_begun
    ON CONFLICT (tenant, day) DO UPDATE SET depth_max = max(run_days.depth_max, excluded.depth_max),
      depth_sum = run_days.depth_sum + excluded.depth_sum, depth_samples = run_days.depth_samples + 1`);
  const [last] = await db.all<{ id: string | null }>(sql`SELECT max(id) AS id FROM (${sampledTenants})`);
  return last?.id ?? null;
}

/** Selects the due runs of active executions, and of executions whose wake is overdue. */
function dueOf(tenant: string, { now, lateMax }: DueQuery): SQL {
  return sql`${activeDueRuns(sql`${tenant}`, now)} UNION ALL
    SELECT r.* FROM (SELECT tenant, id FROM executions INDEXED BY executions_wake
      WHERE wake_at IS NOT NULL AND finished_at IS NULL AND wake_at <= ${now} AND tenant = ${tenant}
        AND status = 'waiting' ORDER BY wake_at LIMIT ${lateMax}) e ${runsOf(now)}`;
}

/** Selects the due runs of active executions. */
function activeDueRuns(tenant: SQL, now: number): SQL {
  return sql`SELECT r.* FROM executions e INDEXED BY executions_status ${runsOf(now)}
    AND e.tenant = ${tenant} AND e.status = 'active' AND e.status <> 'completed'`;
}

/** Joins the due runs to the executions `e`. CROSS JOIN makes SQLite read the executions first. */
function runsOf(now: number): SQL {
  return sql`CROSS JOIN runs r WHERE r.tenant = e.tenant AND r.execution = e.id
    AND (r.status = 'queued' OR (r.status IN ('scheduled', 'retry') AND r.due_at <= ${now}))`;
}
