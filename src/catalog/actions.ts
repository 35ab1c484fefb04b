// Lists actions by their runs: standalone actions, which are executions of the engine's one-action machine, or the runs
// of all executions.
import { and, desc, eq, gt, inArray, lt, lte, sql } from "drizzle-orm";
import { z } from "zod";
import type { RunRow } from "#schema/engine/projection.ts";
import type { StartedBy, TriggerKind } from "#schema/inbound/started-by.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { RunStatus } from "#schema/engine/run.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { executions } from "./tables/executions.ts";
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
};

/** A run's row, with the trigger that started its execution; null if no trigger did. */
export type ListedRun = RunRow & { readonly startedBy: StartedBy | null };

/**
 * The run statuses that are common in completed executions. Runs with another status are searched in the index of
 * executions that have not completed, which is short.
 */
const COMPLETED_RUN_STATUSES: ReadonlySet<RunStatus> = new Set<RunStatus>(["ok", "skipped"]);
const uncompletedExecutions = sql`${executions} INDEXED BY executions_status`;

/** `alone` lists standalone actions; `all` also lists the runs of executions of definitions. */
export type ActionScope = "alone" | "all";

/** Lists runs by execution, the newest execution first. Within an execution the last run comes first. */
export async function listActions(
  db: Db,
  tenant: string,
  { whose, ...filters }: ActionFilters & { readonly whose: ActionScope },
  cursor: string | null,
  limit: number,
): Promise<Result<Page<ListedRun>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string(), z.string()]));
  if (!after.ok) return after;
  const isOnlyUncompleted =
    filters.status !== undefined && [filters.status].flat().every((status) => !COMPLETED_RUN_STATUSES.has(status));
  const ofExecution = and(eq(runs.tenant, executions.tenant), eq(runs.execution, executions.id));
  const rows = await db
    .select({
      run: listedRun,
      createdAt: sql<number>`${executions.createdAt}`,
      trigger: sql<string | null>`${executions.triggerId}`,
      kind: sql<TriggerKind | null>`${executions.triggerKind}`,
    })
    .from(isOnlyUncompleted ? uncompletedExecutions : sql`${executions}`)
    .innerJoin(runs, ofExecution)
    .where(
      and(
        eq(executions.tenant, tenant),
        whose === "all" ? undefined : eq(executions.definitionName, ACTION_REF.name),
        isOnlyUncompleted ? sql`${executions.status} <> 'completed'` : undefined,
        after.value === null ? undefined : afterCursor(after.value),
        ...conditions(filters),
      ),
    )
    .orderBy(desc(executions.createdAt), desc(executions.id), desc(runs.id))
    .limit(limit + 1);
  const { data, nextCursor } = pageOf(rows, limit, ({ createdAt, run }) => [createdAt, run.execution, run.id]);
  const startedBy = (trigger: string | null, kind: TriggerKind | null): StartedBy | null =>
    trigger === null || kind === null ? null : { trigger, kind };
  return accept({ data: data.map((row) => ({ ...row.run, startedBy: startedBy(row.trigger, row.kind) })), nextCursor });
}

/**
 * Returns the condition for the runs that follow the cursor's run: runs of older executions, and runs of the cursor's
 * execution with a smaller id. `withinKey` excludes newer executions, and SQLite can use it with the primary key.
 */
function afterCursor([createdAt, execution, run]: readonly [number, string, string]) {
  const withinKey = sql`(${executions.createdAt}, ${executions.id}) <= (${createdAt}, ${execution})`;
  const isOlderExecution = sql`(${executions.createdAt}, ${executions.id}) < (${createdAt}, ${execution})`;
  return sql`${withinKey} AND (${isOlderExecution} OR ${runs.id} < ${run})`;
}

function conditions(filters: ActionFilters) {
  const {
    status,
    type,
    actionId,
    namespace,
    correlationId,
    createdAfter,
    createdBefore,
    dueBefore,
    trigger,
    triggerKind,
  } = filters;
  return [
    status === undefined ? undefined : inArray(runs.status, [status].flat()),
    type === undefined ? undefined : eq(runs.type, type),
    actionId === undefined ? undefined : eq(runs.action, actionId),
    namespace === undefined ? undefined : eq(executions.namespace, namespace),
    correlationId === undefined ? undefined : eq(executions.correlationId, correlationId),
    createdAfter === undefined ? undefined : gt(executions.createdAt, createdAfter),
    createdBefore === undefined ? undefined : lt(executions.createdAt, createdBefore),
    dueBefore === undefined ? undefined : lte(runs.dueAt, dueBefore),
    trigger === undefined ? undefined : eq(executions.triggerId, trigger),
    triggerKind === undefined ? undefined : eq(executions.triggerKind, triggerKind),
  ];
}
