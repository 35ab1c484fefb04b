// Lists the runs of one execution. Only projections.ts writes run rows.
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { z } from "zod";
import type { RunRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { RunStatus } from "#schema/engine/run.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { runs } from "./tables/runs.ts";

export type RunFilters = {
  readonly status?: RunStatus | undefined;
  readonly action?: string | undefined;
  readonly type?: string | undefined;
};

const { counted: _counted, ...columns } = getTableColumns(runs);
/** The columns of a listed run. Only the statement that counts figures reads `counted`. */
export const listedRun = columns;

/** Lists runs, newest first. */
export async function listRuns(
  db: Db,
  tenant: string,
  execution: string,
  filters: RunFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<RunRow>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select(listedRun)
    .from(runs)
    .where(
      and(
        eq(runs.tenant, tenant),
        eq(runs.execution, execution),
        after.value === null ? undefined : sql`(created_at, id) < (${after.value[0]}, ${after.value[1]})`,
        ...conditions(filters),
      ),
    )
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.createdAt, last.id]));
}

function conditions({ status, action, type }: RunFilters) {
  return [
    status === undefined ? undefined : eq(runs.status, status),
    action === undefined ? undefined : eq(runs.action, action),
    type === undefined ? undefined : eq(runs.type, type),
  ];
}
