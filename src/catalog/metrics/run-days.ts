// Run days: reads, samples and purges the daily counters. projections/run-endings.ts counts the runs' results.
import { and, asc, eq, getTableColumns, gte, sql } from "drizzle-orm";
import type { Db } from "../db.ts";
import { runDayErrors, runDays } from "../tables/run-days.ts";

const { byType: _byType, ...whole } = getTableColumns(runDays);
/** A day's totals. */
export const figures = whole;
export type RunDay = Omit<typeof runDays.$inferSelect, "byType">;
/** The counter of an action type, under the name that run-endings.ts gives it. */
export type TypeCounter = { readonly tenant: string; readonly name: string; readonly n: number };
export type TypeErrors = { readonly type: string; readonly failed: number; readonly lastError: string | null };

/** From that day on, the oldest first; days without runs have no row. */
export async function listDays(db: Db, tenant: string, from: number): Promise<readonly RunDay[]> {
  return db
    .select(figures)
    .from(runDays)
    .where(and(eq(runDays.tenant, tenant), gte(runDays.day, from)))
    .orderBy(asc(runDays.day));
}

/** Sums from that day on; null: of every tenant. */
export async function countersSince(
  db: Db,
  { tenant, from, limit }: { readonly tenant: string | null; readonly from: number; readonly limit: number },
): Promise<readonly TypeCounter[]> {
  const whose = tenant === null ? sql`tenant IN (SELECT id FROM tenants)` : sql`tenant = ${tenant}`;
  return db.all<TypeCounter>(sql`
    SELECT tenant, c.key AS name, sum(c.value) AS n FROM ${runDays}, json_each(${runDays.byType}) c
    WHERE ${whose} AND day >= ${from} GROUP BY tenant, c.key ORDER BY tenant, c.key LIMIT ${limit}`);
}

/** By type, the most failures first. */
export async function errorsSince(db: Db, tenant: string, from: number): Promise<readonly TypeErrors[]> {
  return db.all<TypeErrors>(sql`
    SELECT type, sum(failed) AS failed, last_error AS lastError, max(last_at) AS lastAt FROM ${runDayErrors}
    WHERE tenant = ${tenant} AND day >= ${from} GROUP BY type ORDER BY failed DESC, type`);
}

/** Purges days before `before`; the rows of runs and errors of a day go together. */
export async function purgeDays(db: Db, before: number, limit: number): Promise<number> {
  const old = (table: string) =>
    db.$client
      .prepare(
        `DELETE FROM ${table} WHERE (tenant, day) IN (SELECT d.tenant, d.day FROM tenants t CROSS JOIN ${table} d
          WHERE d.tenant = t.id AND d.day < ?1 LIMIT ?2)`,
      )
      .bind(before, limit);
  const gone = await db.$client.batch([old("run_days"), old("run_day_errors")]);
  return gone.reduce((sum, { meta }) => sum + meta.changes, 0);
}
