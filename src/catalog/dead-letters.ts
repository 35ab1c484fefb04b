// Lists and counts dead letters: runs that failed permanently. One partial index contains all dead letters, another
// only those that wait for an operator.
import { and, asc, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { CRITICAL_ABOVE_PRIORITY, CRITICAL_TYPE } from "#schema/limits/run-attempts.ts";
import type {
  DeadLetterFilters,
  DeadLetterGroup,
  DeadLetterName,
  DeadLetterSurvey,
} from "#schema/dead-letter-filter.ts";
import { COUNT_ROWS_READ_MAX } from "#schema/limits/api-requests.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { listedRun } from "./runs.ts";
import { runs } from "./tables/runs.ts";

/** Lists return the newest dead letters first; a redrive processes the oldest first. */
export type DeadLetterOrder = "newest" | "oldest";

/** Lists the dead letters that the filter matches. */
export async function listDeadLetters(
  db: Db,
  tenant: string,
  filters: DeadLetterFilters,
  cursor: string | null,
  limit: number,
  order: DeadLetterOrder = "newest",
): Promise<Result<Page<RunRow>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string(), z.string()]));
  if (!after.ok) return after;
  const direction = order === "newest" ? desc : asc;
  const rows = await db
    .select(listedRun)
    .from(runs)
    .where(and(...conditions(tenant, filters), after.value === null ? undefined : afterCursor(after.value, order)))
    .orderBy(direction(runs.finishedAt), direction(runs.execution), direction(runs.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.finishedAt ?? 0, last.execution, last.id]));
}

export async function countDeadLetters(db: Db, tenant: string, filters: DeadLetterFilters): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(runs)
    .where(and(...conditions(tenant, filters)));
  return row?.count ?? 0;
}

/** Groups the newest matching dead letters by cause, definition and action, the largest group first. */
export async function groupDeadLetters(
  db: Db,
  tenant: string,
  filters: DeadLetterFilters,
): Promise<readonly DeadLetterGroup[]> {
  const newest = sql`SELECT coalesce(error_code, error_type, 'unknown_error') AS cause, definition, action, type, finished_at
    FROM runs WHERE ${and(...conditions(tenant, filters))} ORDER BY finished_at DESC LIMIT ${COUNT_ROWS_READ_MAX}`;
  return db.all<DeadLetterGroup>(sql`SELECT cause, definition, action, type, count(*) AS count,
    min(finished_at) AS oldest, max(finished_at) AS newest FROM (${newest})
    GROUP BY cause, definition, action, type ORDER BY count DESC, newest DESC`);
}

/** Counts the dead letters that a filter matches, by error type, for the preview of a bulk operation. */
export async function surveyDeadLetters(db: Db, tenant: string, filters: DeadLetterFilters): Promise<DeadLetterSurvey> {
  const groups = await db
    .select({
      type: sql<string>`coalesce(error_type, 'unknown_error')`.as("kind"),
      count: sql<number>`count(*)`,
      oldest: sql<number>`min(finished_at)`,
      newest: sql<number>`max(finished_at)`,
    })
    .from(runs)
    .where(and(...conditions(tenant, filters)))
    .groupBy(sql`kind`)
    .orderBy(sql`kind`);
  return {
    matching: groups.reduce((sum, { count }) => sum + count, 0),
    oldest: groups.length === 0 ? null : Math.min(...groups.map(({ oldest }) => oldest)),
    newest: groups.length === 0 ? null : Math.max(...groups.map(({ newest }) => newest)),
    byErrorType: Object.fromEntries(groups.map(({ type, count }) => [type, count])),
  };
}

/** The version of a dead letter's row: the execution's incarnation, and the seq within the incarnation. */
export type DeadLetterVersion = { readonly incarnation: number; readonly seq: number };

export async function deadLetterVersion(
  db: Db,
  tenant: string,
  name: DeadLetterName,
): Promise<DeadLetterVersion | null> {
  const row = await db
    .select({ incarnation: runs.incarnation, seq: runs.seq })
    .from(runs)
    .where(isDeadLetter(tenant, name))
    .get();
  return row ?? null;
}

/**
 * Removes the dead letter of a deleted execution from the lists. A row whose version is no longer `incarnation` and
 * `seq` has changed since it was read, and stays unchanged.
 */
export async function removeDeadLetter(
  db: Db,
  tenant: string,
  name: DeadLetterName,
  { incarnation, seq }: DeadLetterVersion,
): Promise<void> {
  await db
    .update(runs)
    .set({ deadLetter: false, reason: "history_gone" })
    .where(and(isDeadLetter(tenant, name), eq(runs.incarnation, incarnation), eq(runs.seq, seq)));
}

function isDeadLetter(tenant: string, { execution, run }: DeadLetterName) {
  return and(eq(runs.tenant, tenant), eq(runs.execution, execution), eq(runs.id, run), sql`dead_letter = 1`);
}

function afterCursor([finishedAt, execution, id]: readonly [number, string, string], order: DeadLetterOrder) {
  return order === "newest"
    ? sql`(finished_at, execution, id) < (${finishedAt}, ${execution}, ${id})`
    : sql`(finished_at, execution, id) > (${finishedAt}, ${execution}, ${id})`;
}

const isCritical = sql`(type = ${CRITICAL_TYPE} or priority > ${CRITICAL_ABOVE_PRIORITY})`;

function conditions(tenant: string, filters: DeadLetterFilters) {
  const { minPriority, critical, handled, failedAfter, failedBefore, errorTypes, selfHeal, ...equal } = filters;
  const equalConditions = (Object.keys(equal) as (keyof typeof equal)[]).map((column) => {
    const value = equal[column];
    return value === undefined ? undefined : eq(runs[column], value);
  });
  return [
    eq(runs.tenant, tenant),
    sql`dead_letter = 1`,
    // SQLite uses the partial index only if the condition repeats the words of the index.
    handled === undefined ? undefined : handled ? sql`handled = 1` : sql`handled = 0`,
    ...equalConditions,
    errorTypes === undefined ? undefined : inArray(runs.errorType, [...errorTypes]),
    selfHeal === undefined ? undefined : selfHeal === "asked" ? sql`auto_retry = 1` : sql`auto_retry IS NOT 0`,
    minPriority === undefined ? undefined : gte(runs.priority, minPriority),
    critical === undefined ? undefined : critical ? isCritical : sql`not (${isCritical})`,
    failedAfter === undefined ? undefined : gte(runs.finishedAt, failedAfter),
    failedBefore === undefined ? undefined : lt(runs.finishedAt, failedBefore),
  ];
}
