// Reads and purges the daily run counters. projections/run-endings.ts counts the runs, metrics/due-runs.ts samples the
// queue depth.
import { and, asc, eq, getTableColumns, gte, sql } from "drizzle-orm";
import type { Db } from "../db.ts";
import { runDayErrors, runDays } from "../tables/run-days.ts";

const { byType: _byType, ...totals } = getTableColumns(runDays);
/** The columns that contain a day's totals. The counters by action type are not among them. */
export const figures = totals;
export type RunDay = Omit<typeof runDays.$inferSelect, "byType">;
/** One counter of an action type. run-endings.ts defines the names, such as `webhook/runs`. */
export type TypeCounter = { readonly tenant: string; readonly name: string; readonly n: number };
export type TypeErrors = { readonly type: string; readonly failed: number; readonly lastError: string | null };

/** Lists a tenant's days from `from` on, the oldest first. Days without runs have no row. */
export async function listDays(db: Db, tenant: string, from: number): Promise<readonly RunDay[]> {
  return db
    .select(figures)
    .from(runDays)
    .where(and(eq(runDays.tenant, tenant), gte(runDays.day, from)))
    .orderBy(asc(runDays.day));
}

/** Sums the counters by action type from the day `from` on. `tenant` null: for every tenant. */
export async function countersSince(
  db: Db,
  { tenant, from, limit }: { readonly tenant: string | null; readonly from: number; readonly limit: number },
): Promise<readonly TypeCounter[]> {
  const tenantCondition = tenant === null ? sql`tenant IN (SELECT id FROM tenants)` : sql`tenant = ${tenant}`;
  return db.all<TypeCounter>(sql`
    SELECT tenant, c.key AS name, sum(c.value) AS n FROM ${runDays}, json_each(${runDays.byType}) c
    WHERE ${tenantCondition} AND day >= ${from} GROUP BY tenant, c.key ORDER BY tenant, c.key LIMIT ${limit}`);
}

/** Returns the failures by action type from the day `from` on, the type with the most failures first. */
export async function errorsSince(db: Db, tenant: string, from: number): Promise<readonly TypeErrors[]> {
  return db.all<TypeErrors>(sql`
    SELECT type, sum(failed) AS failed, last_error AS lastError, max(last_at) AS lastAt FROM ${runDayErrors}
    WHERE tenant = ${tenant} AND day >= ${from} GROUP BY type ORDER BY failed DESC, type`);
}

/** Deletes up to `limit` old days from each of the two tables of counters; returns the number of deleted rows. */
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
