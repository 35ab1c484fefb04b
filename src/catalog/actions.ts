// Lists actions by their runs: standalone actions, which are executions of the engine's one-action machine, or the runs
// of all executions.
import { and, eq, inArray, lte, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { RunRow } from "#schema/engine/projection.ts";
import type { StartedBy, TriggerKind } from "#schema/inbound/started-by.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { RunStatus } from "#schema/engine/run.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import { LIST_ROWS_READ_MAX } from "#schema/limits/api-requests.ts";
import type { Db } from "./db.ts";
import { decodeCursor, encodeCursor, pageOf, type SearchPage } from "./page.ts";
import { listedRun } from "./runs.ts";
import { runs } from "./tables/runs.ts";

export type ActionFilters = {
  readonly status?: RunStatus | readonly RunStatus[] | undefined;
  readonly type?: string | undefined;
  readonly actionId?: string | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  /** Lists only runs whose due time or retry time is this instant (epoch ms) or earlier. */
  readonly dueBefore?: number | undefined;
  /**
   * A trigger's id: only runs of executions that this trigger started are listed. `triggerKind` does the same for all
   * triggers of one kind.
   */
  readonly trigger?: string | undefined;
  readonly triggerKind?: TriggerKind | undefined;
  /** The id of the connection of the last failed attempt, or the connection that the config names. */
  readonly connection?: string | undefined;
  /** Lists only held runs with this reason. */
  readonly held?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly tag?: string | undefined;
  /** Lists only runs whose message goes to this address, in its normal form. The latest run is first. */
  readonly recipient?: string | undefined;
};

/** A run's row, with the trigger that started its execution; null if no trigger did. */
export type ListedRun = RunRow & { readonly startedBy: StartedBy | null };

/**
 * The run statuses that are common in completed executions. Runs with another status are searched in the index of
 * executions that have not completed, which is short.
 */
const COMPLETED_RUN_STATUSES: ReadonlySet<RunStatus> = new Set<RunStatus>(["ok", "skipped"]);

/** `alone` lists standalone actions; `all` also lists the runs of executions of definitions. */
export type ActionScope = "alone" | "all";
type Filters = ActionFilters & { readonly whose: ActionScope };

/** FROM is raw SQL, so each column is written as an expression, which decodes like its column. */
const columns = Object.fromEntries(
  Object.entries(listedRun).map(([field, column]) => [field, sql`${column}`.mapWith(column)]),
) as unknown as typeof listedRun; // each expression decodes like its column
const ofExecution = {
  at: sql<number>`at`,
  trigger: sql<string | null>`trigger_id`,
  kind: sql<TriggerKind | null>`trigger_kind`,
};

/**
 * Lists runs by execution, the newest execution first; within an execution the last run comes first. With a recipient,
 * the newest run comes first. A page reads a limited number of rows, as the list of executions.
 */
export async function listActions(
  db: Db,
  tenant: string,
  filters: Filters,
  cursor: string | null,
  limit: number,
): Promise<Result<SearchPage<ListedRun>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string(), z.string()]));
  if (!after.ok) return after;
  const scan = filters.recipient === undefined ? runsByExecution : runsByRecipient;
  const candidates = (selected: SQL): SQL => scan(tenant, filters, after.value, selected);
  const readMax = LIST_ROWS_READ_MAX.byIndex;
  const rows = await db
    .select({ run: columns, ...ofExecution })
    .from(sql`(${candidates(sql`r.*`)} LIMIT ${readMax}) AS runs`)
    .where(and(...conditions(filters)))
    .limit(limit + 1);
  const { data, nextCursor } = pageOf(rows, limit, ({ at, run }) => [at, run.execution, run.id]);
  const page = data.map(({ run, trigger, kind }) => ({ ...run, startedBy: startedBy(trigger, kind) }));
  if (nextCursor !== null) return accept({ data: page, nextCursor, stoppedEarly: false });
  const [last] = await db.all<{ at: number; execution: string; id: string }>(
    sql`${candidates(sql`r.execution, r.id`)} LIMIT 1 OFFSET ${readMax - 1}`,
  );
  const continued = last === undefined ? null : encodeCursor([last.at, last.execution, last.id]);
  return accept({ data: page, nextCursor: continued, stoppedEarly: continued !== null });
}

function startedBy(trigger: string | null, kind: TriggerKind | null): StartedBy | null {
  return trigger === null || kind === null ? null : { trigger, kind };
}

/** Fields of the execution by which runs are filtered. */
const OF_EXECUTION = sql`e.trigger_id, e.trigger_kind, e.namespace AS place, e.correlation_id AS correlation`;

type After = readonly [number, string, string] | null;

function runsByExecution(tenant: string, filters: Filters, after: After, selected: SQL): SQL {
  const { whose, status, createdAfter, createdBefore, trigger } = filters;
  const isOnlyUncompleted = status !== undefined && [status].flat().every((each) => !COMPLETED_RUN_STATUSES.has(each));
  const index = isOnlyUncompleted ? sql`INDEXED BY executions_status` : trigger ? byTrigger : sql`NOT INDEXED`;
  const isIndexed = isOnlyUncompleted
    ? sql`AND e.status <> 'completed'`
    : trigger
      ? sql`AND e.trigger_id IS NOT NULL`
      : sql``;
  return sql`SELECT e.created_at AS at, ${OF_EXECUTION}, ${selected}
    FROM executions e ${index} CROSS JOIN runs r ON r.tenant = e.tenant AND r.execution = e.id
    WHERE e.tenant = ${tenant} ${isIndexed}
      ${whose === "all" ? sql`` : sql`AND e.definition_name = ${ACTION_REF.name}`}
      ${trigger === undefined ? sql`` : sql`AND e.trigger_id = ${trigger}`}
      ${createdAfter === undefined ? sql`` : sql`AND e.created_at > ${createdAfter}`}
      ${createdBefore === undefined ? sql`` : sql`AND e.created_at < ${createdBefore}`}
      ${after === null ? sql`` : afterCursor(after)}
    ORDER BY e.created_at DESC, e.id DESC, r.id DESC`;
}
const byTrigger = sql`INDEXED BY executions_trigger`;

/**
 * Returns the condition for the runs that follow the cursor's run: runs of older executions, and runs of the cursor's
 * execution with a smaller id. The first part excludes newer executions, and SQLite can use it with the primary key.
 */
function afterCursor([createdAt, execution, run]: readonly [number, string, string]) {
  return sql`AND (e.created_at, e.id) <= (${createdAt}, ${execution})
    AND ((e.created_at, e.id) < (${createdAt}, ${execution}) OR r.id < ${run})`;
}

/** The recipients of an earlier execution with the same id are left out, because the run's row is of the later one. */
function runsByRecipient(tenant: string, filters: Filters, after: After, selected: SQL): SQL {
  const { recipient, createdAfter, createdBefore } = filters;
  return sql`SELECT v.created_at AS at, ${OF_EXECUTION}, ${selected}
    FROM run_recipients v CROSS JOIN runs r
      ON r.tenant = v.tenant AND r.execution = v.execution AND r.id = v.run AND r.created_at = v.created_at
    LEFT JOIN executions e ON e.tenant = r.tenant AND e.created_at = r.incarnation AND e.id = r.execution
    WHERE v.tenant = ${tenant} AND v.recipient = ${recipient}
      ${createdAfter === undefined ? sql`` : sql`AND v.created_at > ${createdAfter}`}
      ${createdBefore === undefined ? sql`` : sql`AND v.created_at < ${createdBefore}`}
      ${after === null ? sql`` : sql`AND (v.created_at, v.execution, v.run) < (${after[0]}, ${after[1]}, ${after[2]})`}
    ORDER BY v.created_at DESC, v.execution DESC, v.run DESC`;
}

function conditions(filters: Filters) {
  const { status, type, actionId, namespace, correlationId, dueBefore } = filters;
  return [
    status === undefined ? undefined : inArray(runs.status, [status].flat()),
    type === undefined ? undefined : eq(runs.type, type),
    actionId === undefined ? undefined : eq(runs.action, actionId),
    namespace === undefined ? undefined : sql`place = ${namespace}`,
    correlationId === undefined ? undefined : sql`correlation = ${correlationId}`,
    dueBefore === undefined ? undefined : lte(runs.dueAt, dueBefore),
    ...runConditions(filters),
  ];
}

function runConditions({ trigger, triggerKind, connection, held, errorCode, tag }: Filters) {
  return [
    trigger === undefined ? undefined : sql`trigger_id = ${trigger}`,
    triggerKind === undefined ? undefined : sql`trigger_kind = ${triggerKind}`,
    connection === undefined ? undefined : sql`(connection = ${connection} OR uses = ${connection})`,
    held === undefined ? undefined : eq(runs.held, held),
    errorCode === undefined ? undefined : sql`coalesce(error_code, error_type) = ${errorCode}`,
    tag === undefined ? undefined : sql`EXISTS (SELECT 1 FROM json_each(tags) t WHERE t.value = ${tag})`,
  ];
}
