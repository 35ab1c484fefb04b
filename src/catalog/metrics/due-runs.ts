// Due runs: due and not begun, of active executions and of those that should have woken by now. An index finds both, so
// that sleeping executions cost nothing, however many there are.
import { sql, type SQL } from "drizzle-orm";
import type { RunStatus } from "#schema/engine/run.ts";
import { DAY_MS } from "#schema/limits/upkeep.ts";
import type { Db } from "../db.ts";

export type DueRun = {
  readonly execution: string;
  readonly run: string;
  readonly status: RunStatus;
  readonly attempt: number;
  readonly priority: number;
  readonly dueAt: number | null;
};

type Asked = { readonly now: number; /** The maximum number of late executions to read. */ readonly lateMax: number };

/** A tenant's runs, the most urgent first, and of equals the one due first. */
export async function dueRuns(
  db: Db,
  tenant: string,
  { attemptsMax, limit, ...asked }: Asked & { readonly attemptsMax: number; readonly limit: number },
): Promise<readonly DueRun[]> {
  return db.all<DueRun>(sql`
    SELECT execution, id AS run, status, attempt, priority, due_at AS dueAt FROM (${dueOf(tenant, asked)})
    WHERE attempt - (status = 'queued') <= ${attemptsMax}
    ORDER BY priority DESC, coalesce(due_at, created_at), execution, id LIMIT ${limit}`);
}

export async function queueDepth(
  db: Db,
  tenant: string,
  { countedMax, ...asked }: Asked & { readonly countedMax: number },
): Promise<number> {
  const [found] = await db.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM (SELECT 1 FROM (${dueOf(tenant, asked)}) LIMIT ${countedMax})`,
  );
  return found?.n ?? 0;
}

/** The next wake of an execution with nothing due yet, among the newest waiting ones. */
export async function nextWakeOf(
  db: Db,
  tenant: string,
  { now, lookedMax }: { readonly now: number; readonly lookedMax: number },
): Promise<number | null> {
  const [found] = await db.all<{ at: number | null }>(sql`
    SELECT min(wake_at) AS at FROM (SELECT wake_at FROM executions INDEXED BY executions_status
      WHERE tenant = ${tenant} AND status = 'waiting' AND status <> 'completed'
      ORDER BY created_at DESC, id DESC LIMIT ${lookedMax})
    WHERE wake_at > ${now}`);
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
 * Stores the queue depth of some tenants, by their ids; for a tenant whose day has begun, also a depth of zero. A large
 * backlog of one tenant does not block the others. Returns the last tenant sampled, or null.
 */
export async function sampleDepths(
  db: Db,
  { now, after, tenantsMax, lateMax, countedMax }: Sweep,
): Promise<string | null> {
  const day = Math.floor(now / DAY_MS);
  const some = sql`SELECT id FROM tenants WHERE id > ${after} ORDER BY id LIMIT ${tenantsMax}`;
  await db.run(sql`
    WITH late AS MATERIALIZED (SELECT e.tenant AS tenant, count(*) AS depth
      FROM (SELECT tenant, id FROM executions INDEXED BY executions_wake
        WHERE wake_at IS NOT NULL AND finished_at IS NULL AND wake_at <= ${now} AND status = 'waiting'
        ORDER BY wake_at LIMIT ${lateMax}) e ${runsOf(now)} GROUP BY e.tenant)
    INSERT INTO run_days (tenant, day, depth_max, depth_sum, depth_samples)
    SELECT id, ${day}, depth, depth, 1 FROM (
      SELECT t.id AS id, EXISTS (SELECT 1 FROM run_days d WHERE d.tenant = t.id AND d.day = ${day}) AS has_begun,
        (SELECT count(*) FROM (${atWork(sql`t.id`, now)} LIMIT ${countedMax})) + coalesce(late.depth, 0) AS depth
      FROM (${some}) t LEFT JOIN late ON late.tenant = t.id)
    WHERE depth > 0 OR has_begun
    ON CONFLICT (tenant, day) DO UPDATE SET depth_max = max(run_days.depth_max, excluded.depth_max),
      depth_sum = run_days.depth_sum + excluded.depth_sum, depth_samples = run_days.depth_samples + 1`);
  const [last] = await db.all<{ id: string | null }>(sql`SELECT max(id) AS id FROM (${some})`);
  return last?.id ?? null;
}

/** The index of wakes, which includes the tenant, finds late executions. */
function dueOf(tenant: string, { now, lateMax }: Asked): SQL {
  return sql`${atWork(sql`${tenant}`, now)} UNION ALL
    SELECT r.* FROM (SELECT tenant, id FROM executions INDEXED BY executions_wake
      WHERE wake_at IS NOT NULL AND finished_at IS NULL AND wake_at <= ${now} AND tenant = ${tenant}
        AND status = 'waiting' ORDER BY wake_at LIMIT ${lateMax}) e ${runsOf(now)}`;
}

function atWork(tenant: SQL, now: number): SQL {
  return sql`SELECT r.* FROM executions e INDEXED BY executions_status ${runsOf(now)}
    AND e.tenant = ${tenant} AND e.status = 'active' AND e.status <> 'completed'`;
}

/** CROSS JOIN keeps SQLite to the written order: executions first, and the runs of each. */
function runsOf(now: number): SQL {
  return sql`CROSS JOIN runs r WHERE r.tenant = e.tenant AND r.execution = e.id
    AND (r.status = 'queued' OR (r.status IN ('scheduled', 'retry') AND r.due_at <= ${now}))`;
}
