// Filters of executions: the SQL conditions of the filters that lists of executions accept. They can be combined.
import { eq, getTableColumns, gt, isNull, lt, sql, type SQL } from "drizzle-orm";
import { isIdOf } from "#schema/ids.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import type { Comparison, VariableFilter } from "#schema/search/written-filter.ts";
import { withVersion } from "../publications/definition-filter.ts";
import { executions } from "../tables/executions.ts";

export type ExecutionFilters = {
  readonly status?: ExecutionStatus | undefined;
  /** The definition's name, or the id of one of its versions. */
  readonly definition?: string | undefined;
  readonly version?: number | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  /** True lists only executions that their cells have quarantined. */
  readonly quarantined?: boolean | undefined;
  /** Lists only executions that the trigger with this id started. */
  readonly trigger?: string | undefined;
  /** Lists only executions about the subject with this key. */
  readonly subject?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly updatedAfter?: number | undefined;
  /** Lists only live executions that wake before this instant. */
  readonly dueBefore?: number | undefined;
  /** Lists only live executions that should have woken before this instant, as the sweeper has found. */
  readonly overdueSince?: number | undefined;
  /** Lists only executions in this state, or in one of its nested states. */
  readonly state?: string | undefined;
  readonly errorCode?: string | undefined;
  /** Lists only live executions with this wait, such as `timer` or `event:paid`. `event` matches every event. */
  readonly waitingFor?: string | undefined;
  readonly variables?: readonly VariableFilter[] | undefined;
};

/** All columns of the projected row. The sweeper's columns are left out, because projections do not contain them. */
const { checks: _checks, checkAt: _checkAt, ...projected } = getTableColumns(executions);
export const projectedColumns = projected;
/**
 * If FROM is raw SQL, drizzle rejects plain columns. So each column is written as a column expression, which decodes
 * like its column.
 */
export const columnExpressions = Object.fromEntries(
  Object.entries(projected).map(([field, column]) => [field, sql`${column}`.mapWith(column)]),
) as unknown as typeof projected; // each expression decodes like its column

/** Whether only live executions match. */
export function isLiveOnly({ dueBefore, waitingFor }: ExecutionFilters): boolean {
  return dueBefore !== undefined || waitingFor !== undefined;
}

/** The conditions of the filters, without the tenant. The words of partial indexes are repeated for SQLite. */
export function filterConditions(filters: ExecutionFilters): readonly SQL[] {
  const { status, quarantined, trigger, subject, createdAfter, createdBefore, updatedAfter } = filters;
  return [
    isNull(executions.erasedAt),
    status && eq(executions.status, status),
    status && status !== "completed" ? sql`status <> 'completed'` : undefined,
    quarantined === true ? sql`quarantine IS NOT NULL` : undefined,
    trigger === undefined ? undefined : sql`trigger_id = ${trigger} AND trigger_id IS NOT NULL`,
    subject === undefined ? undefined : sql`subject = ${subject} AND subject IS NOT NULL`,
    createdAfter === undefined ? undefined : gt(executions.createdAt, createdAfter),
    createdBefore === undefined ? undefined : lt(executions.createdAt, createdBefore),
    updatedAfter === undefined ? undefined : gt(executions.updatedAt, updatedAfter),
    ...definitionConditions(withVersion(filters)),
    ...progressConditions(filters),
  ].filter((condition) => condition !== undefined);
}

function definitionConditions({ definition, version, namespace, correlationId }: ExecutionFilters) {
  const column = isIdOf("def", definition ?? "") ? executions.definitionId : executions.definitionName;
  return [
    definition === undefined ? undefined : eq(column, definition),
    version === undefined ? undefined : eq(executions.definitionVersion, version),
    namespace === undefined ? undefined : eq(executions.namespace, namespace),
    correlationId === undefined ? undefined : sql`correlation_id = ${correlationId} AND correlation_id IS NOT NULL`,
  ];
}

function progressConditions(filters: ExecutionFilters) {
  const { dueBefore, overdueSince, state, errorCode, waitingFor, variables = [] } = filters;
  return [
    isLiveOnly(filters) ? sql`finished_at IS NULL` : undefined,
    dueBefore === undefined ? undefined : lt(executions.wakeAt, dueBefore),
    overdueSince === undefined ? undefined : sql`check_at IS NOT NULL AND wake_at < ${overdueSince}`,
    state === undefined ? undefined : isInState(state),
    errorCode === undefined ? undefined : sql`error_code = ${errorCode} AND error_code IS NOT NULL`,
    waitingFor === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM json_each(waits) w WHERE instr(w.value || ':', ${waitingFor} || ':') = 1)`,
    ...variables.map(({ name, comparison, value }) => sql`search ->> ${name} ${operators[comparison]} ${value}`),
  ];
}

/** Matches executions that are in this state, or in one of its nested states. */
export function isInState(state: string): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(states) s WHERE instr(s.value || '.', ${state} || '.') = 1)`;
}

export const operators: { readonly [comparison in Comparison]: SQL } = {
  eq: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};
