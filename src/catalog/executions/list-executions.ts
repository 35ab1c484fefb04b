// Lists executions: filters the rows of a bounded scan. If the scan reads its most rows before the page is full, the page
// says so, and its cursor continues after the last row that was read.
import { and, sql } from "drizzle-orm";
import { COUNT_ROWS_READ_MAX } from "#schema/limits/api-requests.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Db } from "../db.ts";
import { decodeCursor, encodeCursor, pageOf, type SearchPage } from "../page.ts";
import { columnExpressions, filterConditions, type ExecutionFilters } from "./execution-filters.ts";
import { scanOf, type ExecutionScan, type Position } from "./execution-scans.ts";

/** Lists executions, newest first; with a range of a search variable, in the order of its values. */
export async function listExecutions(
  db: Db,
  tenant: string,
  filters: ExecutionFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<SearchPage<ExecutionRow>>> {
  const scan = scanOf(tenant, filters);
  const after = decodeCursor(cursor, scan.position);
  if (!after.ok) return after;
  const rows = await db.select(columnExpressions).from(matchesOf(tenant, scan, filters, after.value, limit + 1));
  const page = pageOf(rows, limit, (last) => positionOf(scan, last));
  if (page.nextCursor !== null) return accept({ ...page, stoppedEarly: false });
  const last = await lastRead(db, scan, after.value);
  return accept({ ...page, nextCursor: last && encodeCursor(last), stoppedEarly: last !== null });
}

/**
 * Selects the keys of the matches first, so that SQLite copies only the filtered columns of the other rows. The rows
 * are then read by key, in the order of the scan.
 */
function matchesOf(
  tenant: string,
  scan: ExecutionScan,
  filters: ExecutionFilters,
  after: Position | null,
  limit: number,
) {
  return sql`(SELECT created_at AS at, id AS execution FROM (${scan.rows(after, sql`e.*`)} LIMIT ${scan.readMax}) AS executions
    WHERE ${and(...filterConditions(filters))} LIMIT ${limit}) AS matches
    CROSS JOIN executions ON executions.tenant = ${tenant} AND executions.created_at = at AND executions.id = execution`;
}

/** How many executions match. `exact` is false if the count stopped at its most rows; `value` is then a lower bound. */
export type MatchCount = { readonly value: number; readonly exact: boolean };

export async function countExecutions(db: Db, tenant: string, filters: ExecutionFilters): Promise<MatchCount> {
  const scan = scanOf(tenant, filters);
  const isMatch = and(...filterConditions(filters)) ?? sql`TRUE`;
  const [row] = await db.all<{
    read: number;
    value: number | null;
  }>(sql`SELECT count(*) AS read, sum(${isMatch}) AS value
    FROM (${scan.rows(null, sql`e.*`)} LIMIT ${COUNT_ROWS_READ_MAX}) AS executions`);
  return { value: row?.value ?? 0, exact: (row?.read ?? 0) < COUNT_ROWS_READ_MAX };
}

/** Returns the position of the last row of a full scan; null if the scan has read all rows. */
async function lastRead(db: Db, scan: ExecutionScan, after: Position | null): Promise<Position | null> {
  const value = scan.byValueOf === null ? sql`NULL` : sql`v.value`;
  const columns = sql`${value} AS value, e.created_at AS created_at, e.id AS id`;
  const [row] = await db.all<{ value: string | number | null; created_at: number; id: string }>(
    sql`${scan.rows(after, columns)} LIMIT 1 OFFSET ${scan.readMax - 1}`,
  );
  if (row === undefined) return null;
  return [...(row.value === null ? [] : [row.value]), row.created_at, row.id];
}

function positionOf({ byValueOf }: ExecutionScan, { createdAt, id, search }: ExecutionRow): Position {
  const value = byValueOf === null ? undefined : search?.[byValueOf];
  return [...(value === undefined ? [] : [value]), createdAt, id];
}
