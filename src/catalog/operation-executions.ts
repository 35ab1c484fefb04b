// Finds, counts and checks the executions of a bulk operation. Pages follow the creation time, which never changes, so
// no page skips an execution whose status changes meanwhile.
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isIdOf } from "#schema/ids.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import type { MatchedExecution, MatchedPage, Health, ExecutionFilter } from "#schema/engine/execution-command.ts";
import { withVersion } from "./publications/definition-filter.ts";
import type { Db } from "./db.ts";
import { decodeCursor, encodeCursor } from "./page.ts";
import { isInState } from "./executions/execution-filters.ts";

/**
 * Returns a page of matching executions with one of `statuses`. One statement reads all statuses, so that no execution
 * is found twice.
 */
export async function findMatchingExecutions(
  db: Db,
  tenant: string,
  { statuses, ...filter }: ExecutionFilter & { readonly statuses: readonly ExecutionStatus[] },
  cursor: string | null,
  limit: number,
): Promise<Result<MatchedPage>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const beyond = after.value === null ? sql`` : sql`AND (created_at, id) > (${after.value[0]}, ${after.value[1]})`;
  const parts = statuses.map(
    (status) => sql`SELECT * FROM (SELECT created_at AS createdAt, id FROM executions ${indexFor(status, filter)}
      WHERE ${matchConditions(tenant, status, filter)} ${beyond} ORDER BY created_at, id LIMIT ${limit})`,
  );
  const rows = await db.all<{ createdAt: number; id: string }>(
    sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY createdAt, id LIMIT ${limit}`,
  );
  const found = rows.map(({ id, createdAt }): MatchedExecution => [id, createdAt]);
  const last = rows.at(-1);
  const isFull = last !== undefined && rows.length === limit;
  return accept({ found, cursor: isFull ? encodeCursor([last.createdAt, last.id]) : null });
}

export type MatchingCount = {
  readonly definition: string;
  readonly version: number;
  readonly status: ExecutionStatus;
  readonly count: number;
  readonly oldest: number;
  readonly newest: number;
};

export async function countMatchingExecutions(
  db: Db,
  tenant: string,
  { statuses, ...filter }: ExecutionFilter & { readonly statuses: readonly ExecutionStatus[] },
): Promise<readonly MatchingCount[]> {
  const parts = statuses.map(
    (status) => sql`SELECT definition_name AS definition, definition_version AS version, status, count(*) AS count,
      min(created_at) AS oldest, max(created_at) AS newest FROM executions ${indexFor(status, filter)}
      WHERE ${matchConditions(tenant, status, filter)} GROUP BY definition_name, definition_version`,
  );
  return db.all<MatchingCount>(sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY definition, version, status`);
}

/**
 * Counts how many of the found executions still exist. `failed` counts those of the existing ones that failed or are in
 * one of `states`.
 */
export async function healthOf(
  db: Db,
  tenant: string,
  found: readonly MatchedExecution[],
  states: readonly string[],
): Promise<Health> {
  const excludedStates = states.map((state) => isInState(state));
  const hasFailed = sql.join([sql`status = 'failed'`, ...excludedStates], sql` OR `);
  const [row] = await db.all<{ looked: number; failed: number | null }>(
    sql`SELECT count(*) AS looked, sum(${hasFailed}) AS failed FROM json_each(${JSON.stringify(found)}) j CROSS JOIN executions
      WHERE tenant = ${tenant} AND created_at = j.value ->> 1 AND executions.id = j.value ->> 0 AND erased_at IS NULL`,
  );
  return { looked: row?.looked ?? 0, failed: row?.failed ?? 0 };
}

/**
 * Returns the index that SQLite must use. Without it, SQLite would walk all executions of the tenant.
 * `executions_status` covers all statuses except completed.
 */
function indexFor(status: ExecutionStatus, { subject, trigger }: ExecutionFilter): SQL {
  if (subject !== undefined) return sql`INDEXED BY executions_subject`;
  if (trigger !== undefined) return sql`INDEXED BY executions_trigger`;
  return status === "completed" ? sql`` : sql`INDEXED BY executions_status`;
}

function matchConditions(tenant: string, status: ExecutionStatus, filter: ExecutionFilter): SQL {
  const { definition, version, namespace, correlationId, subject, trigger, state, createdAfter, createdBefore } =
    withVersion(filter);
  const definitionColumn = isIdOf("def", definition ?? "") ? sql`definition_id` : sql`definition_name`;
  const conditions = [
    sql`tenant = ${tenant} AND erased_at IS NULL AND status = ${status}`,
    // SQLite uses the partial indexes only if the conditions repeat the words of the indexes.
    status === "completed" ? null : sql`status <> 'completed'`,
    definition === undefined ? null : sql`${definitionColumn} = ${definition}`,
    version === undefined ? null : sql`definition_version = ${version}`,
    namespace === undefined ? null : sql`namespace = ${namespace}`,
    correlationId === undefined ? null : sql`correlation_id = ${correlationId}`,
    subject === undefined ? null : sql`subject = ${subject} AND subject IS NOT NULL`,
    trigger === undefined ? null : sql`trigger_id = ${trigger} AND trigger_id IS NOT NULL`,
    state === undefined ? null : isInState(state),
    createdAfter === undefined ? null : sql`created_at > ${createdAfter}`,
    createdBefore === undefined ? null : sql`created_at < ${createdBefore}`,
  ];
  return sql.join(
    conditions.filter((condition) => condition !== null),
    sql` AND `,
  );
}
