// Counts the live executions of each version of a definition.
import { sql } from "drizzle-orm";
import type { LiveVersions } from "#schema/definition/live-versions.ts";
import { LIVE_COUNTED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Db } from "../db.ts";

const LIVE = ["active", "waiting", "paused"] as const;

/**
 * Counts the live executions of `name` by version, among the tenant's newest live executions. At most LIVE_COUNTED_MAX
 * executions of each status are read. `isWhole` is false if a status has that many.
 */
export async function liveVersions(db: Db, tenant: string, name: string): Promise<LiveVersions> {
  const parts = LIVE.map(
    (status) => sql`SELECT * FROM (SELECT status, definition_name AS name, definition_version AS version
      FROM executions INDEXED BY executions_status
      WHERE tenant = ${tenant} AND status = ${status} AND status <> 'completed'
      ORDER BY created_at DESC LIMIT ${LIVE_COUNTED_MAX})`,
  );
  // Executions of other definitions are counted with the version null, because `isWhole` depends on the number of all
  // executions that were read.
  const rows = await db.all<{ status: string; version: number | null; executions: number }>(sql`
    SELECT status, CASE WHEN name = ${name} THEN version END AS version, count(*) AS executions
    FROM (${sql.join(parts, sql` UNION ALL `)}) GROUP BY 1, 2 ORDER BY 2 DESC`);
  const versions = new Map<number, number>();
  const seen = new Map<string, number>();
  for (const { status, version, executions } of rows) {
    seen.set(status, executions + (seen.get(status) ?? 0));
    if (version !== null) versions.set(version, executions + (versions.get(version) ?? 0));
  }
  return {
    versions: [...versions].map(([version, executions]) => ({ version, executions })),
    isWhole: [...seen.values()].every((executions) => executions < LIVE_COUNTED_MAX),
  };
}
