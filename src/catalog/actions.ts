// Actions on their own as the catalog finds them: executions of the engine's one-action machine, each shown by its run.
import { and, desc, eq, getTableColumns, gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { RunRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { RunStatus } from "#schema/engine/run.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { executions } from "./tables/executions.ts";
import { runs } from "./tables/runs.ts";

export type ActionFilters = {
  readonly status?: RunStatus | undefined;
  readonly type?: string | undefined;
  readonly actionId?: string | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
};

/** Few have any other ending, and these have an index of their own. */
const ENDED_WELL: ReadonlySet<RunStatus> = new Set<RunStatus>(["ok", "skipped"]);
const notCompleted = sql`${executions} INDEXED BY executions_status`;

/** Newest first. */
export async function listActions(
  db: Db,
  tenant: string,
  filters: ActionFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<RunRow>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const isRare = filters.status !== undefined && !ENDED_WELL.has(filters.status);
  const theirs = and(eq(runs.tenant, executions.tenant), eq(runs.execution, executions.id));
  const rows = await db
    .select(getTableColumns(runs))
    .from(isRare ? notCompleted : sql`${executions}`)
    .innerJoin(runs, theirs)
    .where(
      and(
        eq(executions.tenant, tenant),
        eq(executions.definitionName, ACTION_REF.name),
        isRare ? sql`${executions.status} <> 'completed'` : undefined,
        after.value === null
          ? undefined
          : sql`(${executions.createdAt}, ${executions.id}) < (${after.value[0]}, ${after.value[1]})`,
        ...conditions(filters),
      ),
    )
    .orderBy(desc(executions.createdAt), desc(executions.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.createdAt, last.execution]));
}

function conditions(filters: ActionFilters) {
  const { status, type, actionId, namespace, correlationId, createdAfter, createdBefore } = filters;
  return [
    status === undefined ? undefined : eq(runs.status, status),
    type === undefined ? undefined : eq(runs.type, type),
    actionId === undefined ? undefined : eq(runs.action, actionId),
    namespace === undefined ? undefined : eq(executions.namespace, namespace),
    correlationId === undefined ? undefined : eq(executions.correlationId, correlationId),
    createdAfter === undefined ? undefined : gt(executions.createdAt, createdAfter),
    createdBefore === undefined ? undefined : lt(executions.createdAt, createdBefore),
  ];
}
