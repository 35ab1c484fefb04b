// Checks quotas of stored resources, such as definitions or keys, in the statement that inserts the row. D1 executes
// one write at a time. So if two requests compete for the last free place of a quota, only one of them inserts its row.
import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AuditRow } from "#schema/engine/projection.ts";
import { quotas } from "#schema/limits/tenants/tenant-quotas.ts";
import { storedQuotas, type StoredQuota } from "#schema/quota.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";

/** The number of stored rows that count towards the quota, and the quota's limit. */
export type QuotaUse = { readonly used: number; readonly max: number };
export type InsertResult = QuotaUse & { readonly isMade: boolean };
type Insert = ReturnType<ReturnType<typeof insertIfRoom>["onConflictDoNothing"]>;

/**
 * Additional parts of an insert's batch: a condition for the insert, and statements before it, after it, and after its
 * audit row.
 */
export type InsertExtras = {
  readonly onlyIf: SQL;
  readonly before: BatchItem<"sqlite">;
  readonly after: BatchItem<"sqlite">;
  readonly afterAudit: readonly BatchItem<"sqlite">[];
};

/**
 * Builds an insert that stores the row only if the quota is not used up. `orElse`: a condition that admits the row
 * although the quota is used up. `onlyIf`: a condition that is always required.
 */
export function insertIfRoom(
  db: Db,
  table: SQLiteTable,
  quota: StoredQuota,
  row: { readonly tenant: string } & { readonly [field: string]: unknown },
  { orElse = sql`FALSE`, onlyIf = sql`TRUE` }: { readonly orElse?: SQL; readonly onlyIf?: SQL | undefined } = {},
) {
  const values = Object.entries(getTableColumns(table)).map(([field, column]) => sql`${sql.param(row[field], column)}`);
  const hasRoom = sql`(${used(quota, row.tenant)}) < (${max(quota, row.tenant)})`;
  return db
    .insert(table)
    .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE (${hasRoom} OR ${orElse}) AND ${onlyIf}`);
}

/**
 * Runs the insert with its audit row, and returns how much of the quota is used.
 */
export async function runInsert(
  db: Db,
  quota: StoredQuota,
  tenant: string,
  insert: Insert,
  audit: AuditRow,
  extras?: InsertExtras,
): Promise<InsertResult> {
  const room = quotaUse(db, quota, tenant);
  const audited = auditIfChanged(db, audit);
  if (extras === undefined) {
    const [before, result] = await db.batch([room, insert, audited]);
    return insertResult(before, result.meta.changes);
  }
  const [, before, result] = await db.batch([
    ...([extras.before, room, insert, extras.after, audited] as const),
    ...extras.afterAudit,
  ]);
  return insertResult(before, result.meta.changes);
}

function insertResult([room]: readonly QuotaUse[], added: number): InsertResult {
  return { isMade: added > 0, used: (room?.used ?? 0) + added, max: room?.max ?? 0 };
}

/** Selects the tenant's number of stored rows and its limit for a quota. The result is always one row. */
export function quotaUse(db: Db, quota: StoredQuota, tenant: string) {
  const columns = { used: sql<number>`(${used(quota, tenant)})`, max: sql<number>`(${max(quota, tenant)})` };
  return db.select(columns).from(sql`(SELECT 1)`);
}

/** Counts all stored resources of a tenant that have a quota. */
export async function countStored(db: Db, tenant: string): Promise<{ readonly [quota in StoredQuota]: number }> {
  const counts = storedQuotas.map((quota) => sql`(${used(quota, tenant)}) AS ${sql.identifier(quota)}`);
  return db.get(sql`SELECT ${sql.join(counts, sql`, `)}`);
}

/**
 * Counts the live executions created before `since`, the live executions created later, and the ended executions
 * created later. The conditions repeat the words of the partial index; otherwise SQLite would walk all executions of
 * the tenant.
 */
export async function countLive(
  db: Db,
  tenant: string,
  since: number,
): Promise<{ readonly before: number; readonly since: number; readonly endedSince: number }> {
  const liveExecutions = sql`FROM executions INDEXED BY executions_status
    WHERE tenant = ${tenant} AND status <> 'completed' AND status IN ('active', 'waiting', 'paused')`;
  return db.get(sql`SELECT
    (SELECT count(*) ${liveExecutions} AND created_at < ${since}) AS "before",
    (SELECT count(*) ${liveExecutions} AND created_at >= ${since}) AS since,
    (SELECT count(*) FROM executions
      WHERE tenant = ${tenant} AND created_at >= ${since} AND finished_at IS NOT NULL) AS endedSince`);
}

/** Returns the condition that `count` more rows do not exceed the quota. */
export function hasRoomFor(quota: StoredQuota, tenant: string, count: number): SQL {
  return sql`(${used(quota, tenant)}) + ${count} <= (${max(quota, tenant)})`;
}

/** Returns the query for the tenant's own limit, or the default. */
function max(quota: StoredQuota, tenant: string): SQL {
  return sql`SELECT coalesce((SELECT limits ->> ${quota} FROM tenants WHERE id = ${tenant}), ${quotas[quota]})`;
}

/** Returns the query that counts the rows of the quota. */
function used(quota: StoredQuota, tenant: string): SQL {
  const count = (table: string) => sql`SELECT count(*) FROM ${sql.identifier(table)} WHERE tenant = ${tenant}`;
  switch (quota) {
    case "definitions":
    case "secrets":
    case "templates":
    case "suppressions":
      return count(quota);
    case "keys":
      return sql`${count("keys")} AND revoked_at IS NULL AND coalesce(expires_at > unixepoch() * 1000, TRUE)`;
    case "connections":
      return sql`${count("connections")} AND deleted_at IS NULL`;
    case "recurring":
      return sql`${count("recurring")} AND deleted_at IS NULL`;
    case "policies":
      return sql`${count("policies")} AND deleted_at IS NULL`;
    case "triggers":
      return sql`${count("triggers")} AND deleted_at IS NULL`;
    case "calendars":
      return sql`${count("calendars")} AND deleted_at IS NULL`;
    case "alertChannels":
      return sql`${count("alert_channels")} AND deleted_at IS NULL`;
  }
}
