// Which versions of a definition live executions run, as the lists know it.
import { sql } from "drizzle-orm";
import { LIVE_COUNTED_MAX } from "#schema/limits/publications.ts";
import type { LiveVersions } from "#schema/definition/live-versions.ts";
import type { Db } from "../db.ts";

/** By the partial index of statuses, the newest of each first, and no further than so many of them. */
export async function liveVersions(db: Db, tenant: string, name: string): Promise<LiveVersions> {
  const parts = LIVE.map(
    (status) => sql`SELECT * FROM (SELECT definition_name AS name, definition_version AS version
      FROM executions INDEXED BY executions_status
      WHERE tenant = ${tenant} AND status = ${status} AND status <> 'completed'
      ORDER BY created_at DESC LIMIT ${LIVE_COUNTED_MAX})`,
  );
  const live = sql.join(parts, sql` UNION ALL `);
  const rows = await db.all<{ version: number | null; executions: number }>(sql`
    SELECT CASE WHEN name = ${name} THEN version END AS version, count(*) AS executions FROM (${live})
    GROUP BY 1 ORDER BY 1 DESC`);
  const seen = rows.reduce((sum, { executions }) => sum + executions, 0);
  const versions = rows.flatMap(({ version, executions }) => (version === null ? [] : [{ version, executions }]));
  return { versions, isWhole: seen < LIVE_COUNTED_MAX };
}

const LIVE = ["active", "waiting", "paused"] as const;
