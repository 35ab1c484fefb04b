// Scans of executions: which index a list reads, and in which order. The most selective filter decides. The other
// filters are checked on the rows that the scan reads, so each scan has a limit of rows.
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { LIST_ROWS_READ_MAX } from "#schema/limits/api-requests.ts";
import type { VariableFilter } from "#schema/search/written-filter.ts";
import { isLiveOnly, operators, type ExecutionFilters } from "./execution-filters.ts";

/** The position of a row in the order of its list: the creation and the id, after the value of a range of values. */
export type Position = readonly (string | number)[];

export type ExecutionScan = {
  /** The search variable by whose value the list is sorted, the smallest first. Null: the newest execution is first. */
  readonly byValueOf: string | null;
  readonly position: z.ZodType<Position>;
  /** The most rows that a page reads. */
  readonly readMax: number;
  /** The query of the rows after a position, in order and without a limit. `columns`: what it selects of `e`. */
  readonly rows: (after: Position | null, columns: SQL) => SQL;
};

/** D1 has no statistics, so each scan names its index. SQLite would otherwise walk all executions of the tenant. */
export function scanOf(tenant: string, filters: ExecutionFilters): ExecutionScan {
  const { variables = [], subject, correlationId, trigger, errorCode, quarantined, overdueSince, status } = filters;
  const equal = variables.find(({ comparison }) => comparison === "eq");
  if (equal !== undefined) return valueScan(tenant, equal);
  if (subject !== undefined)
    return indexScan(tenant, "executions_subject", sql`subject = ${subject} AND subject IS NOT NULL`);
  if (correlationId !== undefined) {
    const isCorrelated = sql`correlation_id = ${correlationId} AND correlation_id IS NOT NULL`;
    return indexScan(tenant, "executions_correlation", isCorrelated);
  }
  if (trigger !== undefined)
    return indexScan(tenant, "executions_trigger", sql`trigger_id = ${trigger} AND trigger_id IS NOT NULL`);
  if (quarantined === true) return indexScan(tenant, "executions_quarantine", sql`quarantine IS NOT NULL`);
  if (overdueSince !== undefined) return indexScan(tenant, "executions_overdue", sql`check_at IS NOT NULL`);
  if (errorCode !== undefined)
    return indexScan(tenant, "executions_error", sql`error_code = ${errorCode} AND error_code IS NOT NULL`);
  const [ranged] = variables;
  if (ranged !== undefined) return rangeScan(tenant, ranged.name, variables);
  if (status !== undefined && status !== "completed") return statusScan(tenant, status, filters);
  return isLiveOnly(filters) ? liveScan(tenant, filters) : createdScan(tenant, filters);
}

const newestFirst = {
  byValueOf: null,
  position: z.tuple([z.number(), z.string()]),
  readMax: LIST_ROWS_READ_MAX.byIndex,
};

function indexScan(tenant: string, index: string, condition: SQL): ExecutionScan {
  return {
    ...newestFirst,
    rows: (after, columns) => sql`SELECT ${columns} FROM executions e INDEXED BY ${sql.raw(index)}
      WHERE tenant = ${tenant} AND ${condition} ${olderThan(after)} ORDER BY created_at DESC, id DESC`,
  };
}

/** The range of creation narrows a scan in the order of creation. */
function createdScan(tenant: string, filters: ExecutionFilters): ExecutionScan {
  return {
    ...newestFirst,
    readMax: LIST_ROWS_READ_MAX.byKey,
    rows: (after, columns) => sql`SELECT ${columns} FROM executions e NOT INDEXED
      WHERE tenant = ${tenant} ${createdWithin(filters)} ${olderThan(after)} ORDER BY created_at DESC, id DESC`,
  };
}

function statusScan(tenant: string, status: string, filters: ExecutionFilters): ExecutionScan {
  const ofStatus = sql`status = ${status} AND status <> 'completed' ${createdWithin(filters)}`;
  return indexScan(tenant, "executions_status", ofStatus);
}

const LIVE = ["active", "waiting", "paused"] as const;

/** SQLite merges the three statuses, each of which is sorted by the index. */
function liveScan(tenant: string, filters: ExecutionFilters): ExecutionScan {
  const part = (status: string, after: Position | null, columns: SQL) => sql`SELECT ${columns} FROM executions e
    INDEXED BY executions_status WHERE tenant = ${tenant} AND status = ${status} AND status <> 'completed'
    ${createdWithin(filters)} ${olderThan(after)}`;
  return {
    ...newestFirst,
    rows: (after, columns) => {
      const parts = LIVE.map((status) => part(status, after, columns));
      return sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY created_at DESC, id DESC`;
    },
  };
}

const OF_VALUE = sql`execution_variables v CROSS JOIN executions e
  ON e.tenant = v.tenant AND e.created_at = v.created_at AND e.id = v.execution`;

function valueScan(tenant: string, { name, value }: VariableFilter): ExecutionScan {
  return {
    ...newestFirst,
    rows: (after, columns) => sql`SELECT ${columns} FROM ${OF_VALUE}
      WHERE v.tenant = ${tenant} AND v.name = ${name} AND v.value = ${value}
      ${after === null ? sql`` : sql`AND (v.created_at, v.execution) < (${after[0]}, ${after[1]})`}
      ORDER BY v.created_at DESC, v.execution DESC`,
  };
}

/** A range of values is read in the order of the values. The other ranges of the same variable narrow the scan too. */
function rangeScan(tenant: string, name: string, variables: readonly VariableFilter[]): ExecutionScan {
  const ranges = variables
    .filter((each) => each.name === name)
    .map(({ comparison, value }) => sql`AND v.value ${operators[comparison]} ${value}`);
  return {
    byValueOf: name,
    readMax: LIST_ROWS_READ_MAX.byIndex,
    position: z.tuple([z.union([z.string(), z.number()]), z.number(), z.string()]),
    rows: (after, columns) => sql`SELECT ${columns} FROM ${OF_VALUE}
      WHERE v.tenant = ${tenant} AND v.name = ${name} ${sql.join(ranges, sql` `)}
      ${after === null ? sql`` : sql`AND (v.value, v.created_at, v.execution) > (${after[0]}, ${after[1]}, ${after[2]})`}
      ORDER BY v.value, v.created_at, v.execution`,
  };
}

function olderThan(after: Position | null): SQL {
  return after === null ? sql`` : sql`AND (created_at, id) < (${after[0]}, ${after[1]})`;
}

function createdWithin({ createdAfter, createdBefore }: ExecutionFilters): SQL {
  const parts = [
    createdAfter === undefined ? sql`` : sql`AND created_at > ${createdAfter}`,
    createdBefore === undefined ? sql`` : sql`AND created_at < ${createdBefore}`,
  ];
  return sql.join(parts, sql` `);
}
