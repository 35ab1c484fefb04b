// Finds the oldest waiting work of a tenant by class and definition. Each class reads the beginning of an index, so the
// cost is bounded, however much waits.
import { sql } from "drizzle-orm";
import type { WaitingClass } from "#schema/metrics/waiting.ts";
import type { Db } from "../db.ts";

export type WaitingWork = {
  readonly class: WaitingClass;
  /** The definition's name. */
  readonly definition: string;
  readonly count: number;
  /** Since when the oldest item waits, in epoch ms. */
  readonly oldestAt: number;
};

type Query = {
  readonly now: number;
  /** The most items of each class. */
  readonly readMax: number;
};

/** Returns the work by class and definition, the oldest first. Of a class with more than `readMax` items, the first count. */
export async function oldestWaiting(db: Db, tenant: string, { now, readMax }: Query): Promise<readonly WaitingWork[]> {
  const inStatus = (
    status: string,
  ) => sql`SELECT tenant, id, created_at, definition_name AS definition, updated_at AS at
    FROM executions INDEXED BY executions_status
    WHERE tenant = ${tenant} AND status = ${status} AND status <> 'completed' ORDER BY created_at, id LIMIT ${readMax}`;
  const counted = sql`definition, count(*) AS count, min(at) AS oldestAt`;
  return db.all<WaitingWork>(sql`
    SELECT * FROM (
      SELECT 'dead_letter' AS class, ${counted} FROM (SELECT definition, finished_at AS at FROM runs INDEXED BY runs_waiting
        WHERE tenant = ${tenant} AND dead_letter = 1 AND handled = 0 ORDER BY finished_at LIMIT ${readMax}) GROUP BY definition
      UNION ALL SELECT 'due', ${counted} FROM (SELECT e.definition, coalesce(r.due_at, r.created_at) AS at
        FROM (${inStatus("active")}) e CROSS JOIN runs r
        WHERE r.tenant = e.tenant AND r.execution = e.id AND r.incarnation = e.created_at
          AND (r.status = 'queued' OR (r.status IN ('scheduled', 'retry') AND r.due_at <= ${now})) LIMIT ${readMax}) GROUP BY definition
      UNION ALL SELECT 'overdue', ${counted} FROM (SELECT tenant, definition_name AS definition, wake_at AS at
        FROM executions INDEXED BY executions_overdue
        WHERE tenant = ${tenant} AND check_at IS NOT NULL AND wake_at <= ${now} LIMIT ${readMax}) GROUP BY definition
      UNION ALL SELECT 'paused', ${counted} FROM (${inStatus("paused")}) GROUP BY definition
      UNION ALL SELECT 'waiting', ${counted} FROM (${inStatus("waiting")}) GROUP BY definition)
    ORDER BY oldestAt, class, definition`);
}
