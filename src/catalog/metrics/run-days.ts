// Reads and purges days: the queue depth, which the sweeper samples (due-runs.ts), the latest errors
// (projections/run-failures.ts), and the counters of earlier versions.
import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { Db } from "../db.ts";
import { runDayErrors, runDays } from "../tables/run-days.ts";

export type RunDay = typeof runDays.$inferSelect;
export type TypeErrors = { readonly type: string; readonly failed: number; readonly lastError: string | null };

/** Lists a tenant's days from `from` on, the oldest first. Days without a row had no due runs. */
export async function listDays(db: Db, tenant: string, from: number): Promise<readonly RunDay[]> {
  return db
    .select()
    .from(runDays)
    .where(and(eq(runDays.tenant, tenant), gte(runDays.day, from)))
    .orderBy(asc(runDays.day));
}

/** Returns the failures by action type from the day `from` on, the type with the most failures first. */
export async function errorsSince(db: Db, tenant: string, from: number): Promise<readonly TypeErrors[]> {
  return db.all<TypeErrors>(sql`
    SELECT type, sum(failed) AS failed, last_error AS lastError, max(last_at) AS lastAt FROM ${runDayErrors}
    WHERE tenant = ${tenant} AND day >= ${from} GROUP BY type ORDER BY failed DESC, type`);
}

/** Deletes up to `limit` old days from each of the two tables; returns the number of deleted rows. */
export async function purgeDays(db: Db, before: number, limit: number): Promise<number> {
  const deleteOld = (table: string) =>
    db.$client
      .prepare(
        `DELETE FROM ${table} WHERE (tenant, day) IN (SELECT d.tenant, d.day FROM tenants t CROSS JOIN ${table} d
          WHERE d.tenant = t.id AND d.day < ?1 LIMIT ?2)`,
      )
      .bind(before, limit);
  const results = await db.$client.batch([deleteOld("run_days"), deleteOld("run_day_errors")]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
