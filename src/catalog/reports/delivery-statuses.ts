// Reads the delivery statuses of runs and the counters of reports, and deletes what is beyond its retention.
import { and, asc, eq, gte } from "drizzle-orm";
import type { DeliveryStatus } from "#schema/reports/report.ts";
import type { Db } from "../db.ts";
import { messageDays, messageReports, messageStatuses } from "../tables/message-reports.ts";

export type RunKey = { readonly execution: string; readonly run: string };
type StatusRow = Omit<DeliveryStatus, "counts"> & RunKey & { readonly counts: string };

/** Returns the delivery statuses of those of the runs that have one, by `<execution> <run>`. */
export async function deliveryStatuses(
  db: Db,
  tenant: string,
  runs: readonly RunKey[],
): Promise<ReadonlyMap<string, DeliveryStatus>> {
  if (runs.length === 0) return new Map();
  const sql = `SELECT s.execution, s.run, incarnation, attempt, kind, at, recipient, message_id AS messageId, code, reason,
      counts FROM json_each(?2) k CROSS JOIN message_statuses s
    WHERE s.tenant = ?1 AND s.execution = k.value ->> '$.execution' AND s.run = k.value ->> '$.run'`;
  const found = await db.$client.prepare(sql).bind(tenant, JSON.stringify(runs)).all<StatusRow>();
  return new Map(
    found.results.map(({ execution, run, counts, ...status }) => [
      `${execution} ${run}`,
      { ...status, counts: JSON.parse(counts) as DeliveryStatus["counts"] }, // json_group_object has built the text.
    ]),
  );
}

export type ReportDay = Omit<typeof messageDays.$inferSelect, "tenant">;

/** Lists the counters from the day `from` on, the oldest day first. `definition` null: of all definitions. */
export async function reportDays(
  db: Db,
  tenant: string,
  { from, definition, limit }: { readonly from: number; readonly definition: string | null; readonly limit: number },
): Promise<readonly ReportDay[]> {
  const { tenant: ofTenant, day, definition: ofDefinition, kind, n } = messageDays;
  return db
    .select({ day, definition: ofDefinition, kind, n })
    .from(messageDays)
    .where(and(eq(ofTenant, tenant), gte(day, from), definition === null ? undefined : eq(ofDefinition, definition)))
    .orderBy(asc(day), asc(ofDefinition), asc(kind))
    .limit(limit);
}

/** Deletes the reports and statuses of one execution, because it is erased. */
export async function eraseReports(db: Db, tenant: string, execution: string): Promise<void> {
  const [reports, statuses] = [messageReports, messageStatuses];
  await db.batch([
    db.delete(reports).where(and(eq(reports.tenant, tenant), eq(reports.execution, execution))),
    db.delete(statuses).where(and(eq(statuses.tenant, tenant), eq(statuses.execution, execution))),
  ]);
}

/**
 * Deletes up to `limit` reports that arrived before `before`, and the statuses of their runs that no later report has
 * changed; returns the number of deleted reports.
 */
export async function purgeReports(db: Db, before: number, limit: number): Promise<number> {
  const old = `SELECT tenant, execution, run, id FROM message_reports INDEXED BY message_reports_received
    WHERE received_at < ?1 ORDER BY received_at LIMIT ?2`;
  const statuses = `DELETE FROM message_statuses WHERE updated_at < ?1
    AND (tenant, execution, run) IN (SELECT tenant, execution, run FROM (${old}))`;
  const reports = `DELETE FROM message_reports WHERE (tenant, execution, run, id) IN (${old})`;
  const [, deleted] = await db.$client.batch(
    [statuses, reports].map((sql) => db.$client.prepare(sql).bind(before, limit)),
  );
  return deleted?.meta.changes ?? 0;
}

/** Deletes up to `limit` counters of days before `before`; returns the number of deleted rows. */
export async function purgeReportDays(db: Db, before: number, limit: number): Promise<number> {
  const sql = `DELETE FROM message_days WHERE (tenant, day, definition, kind) IN (
    SELECT d.tenant, d.day, d.definition, d.kind FROM tenants t CROSS JOIN message_days d
      WHERE d.tenant = t.id AND d.day < ?1 LIMIT ?2)`;
  return (await db.$client.prepare(sql).bind(before, limit).run()).meta.changes;
}
