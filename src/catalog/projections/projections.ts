// Writes the rows that executions project; the queue consumer of projections calls it. Each row is complete. Of two
// rows of the same run, the later incarnation wins, then the higher seq, so a repeated or late message changes nothing.
// Each statement binds one JSON parameter, because D1 allows 100 parameters.
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ProjectionMessage, RunRow } from "#schema/engine/projection.ts";
import { CATALOG_PARAMETER_CHARS_MAX } from "#schema/limits/upkeep/retention.ts";
import { calendarUsesOfRecurring, REOPEN_CALENDARS } from "../calendars/followed-calendars.ts";
import type { Db } from "../db.ts";
import { latest, quarantineStatements } from "./quarantine.ts";
import { countedExecution, countedRun, countFigures, withCounted } from "./count-figures.ts";
import { countFailures, isFailure } from "./run-failures.ts";
import { ALL_RECIPIENTS, insertRecipients } from "../runs/recipients.ts";
import { searchStatements } from "../executions/search-variables.ts";
import { audit } from "../tables/audit.ts";
import { executions } from "../tables/executions.ts";
import { recurring } from "../tables/recurring.ts";
import { runs } from "../tables/runs.ts";

/** SQL of `replacesRun`: whether `row` replaces the stored run. */
const runIsNewer = (row: string): string => `(${row}.incarnation, ${row}.seq) > (runs.incarnation, runs.seq)`;
// Execution rows compare the seq only, because the incarnation is part of their key.
const upsertExecutions = insertFromJson(executions, "excluded.seq > executions.seq");
const upsertRuns = insertFromJson(runs, runIsNewer("excluded"));
const figureCounts = countFigures(runIsNewer("reported"));
const failureCounts = countFailures(runIsNewer("reported"));
// Late projections do not restore a deleted recurring action.
const upsertRecurring = insertFromJson(recurring, "excluded.seq > recurring.seq AND recurring.deleted_at IS NULL");
const insertAudit = insertFromJson(audit, null);

/** Writes the rows of all messages in one transaction. */
export async function applyProjections(
  db: Db,
  messages: readonly ProjectionMessage[],
): Promise<{ readonly rowsWritten: number }> {
  const executionRows = newest(
    messages.flatMap((m) => m.executions),
    (row) => [row.tenant, row.createdAt, row.id],
    bySeq,
  );
  const runRows = newest(
    messages.flatMap((m) => m.runs),
    (row) => [row.tenant, row.execution, row.id],
    replacesRun,
  );
  const recurringRows = newest(
    messages.flatMap((m) => m.recurring ?? []),
    (row) => [row.tenant, row.id],
  );
  const uses = calendarUsesOfRecurring(recurringRows);
  const counted = [...executionRows.map(countedExecution), ...runRows.flatMap((row) => countedRun(row) ?? [])];
  const searchable = chunks(executionRows.filter(({ search }) => search != null));
  const addressed = chunks(runRows.filter(({ recipients }) => recipients != null));
  const statements = [
    ...addressed.map((chunk) => db.$client.prepare(insertRecipients).bind(chunk)),
    ...searchable.flatMap((chunk) => searchStatements.map((statement) => db.$client.prepare(statement).bind(chunk))),
    ...chunks(counted).map((chunk) => db.$client.prepare(figureCounts).bind(chunk)),
    ...chunks(runRows.filter(isFailure)).map((chunk) => db.$client.prepare(failureCounts).bind(chunk)),
    ...chunks(executionRows).map((chunk) => db.$client.prepare(upsertExecutions).bind(chunk)),
    ...chunks(runRows.map(withCounted)).map((chunk) => db.$client.prepare(upsertRuns).bind(chunk)),
    ...chunks(recurringRows).map((chunk) => db.$client.prepare(upsertRecurring).bind(chunk)),
    ...(uses === null ? [] : [db.$client.prepare(REOPEN_CALENDARS).bind(uses)]),
    ...chunks(messages.flatMap((m) => m.audit)).map((chunk) => db.$client.prepare(insertAudit).bind(chunk)),
    ...chunks(latest(messages.flatMap(({ quarantined = [] }) => quarantined))).flatMap((chunk) =>
      quarantineStatements.map((statement) => db.$client.prepare(statement).bind(chunk)),
    ),
  ];
  if (statements.length === 0) return { rowsWritten: 0 };
  const results = await db.$client.batch(statements);
  return { rowsWritten: results.reduce((sum, result) => sum + result.meta.rows_written, 0) };
}

/** Keeps the newest version of each row. Otherwise D1 would write and bill each version in the batch. */
export function newest<T extends { readonly seq: number }>(
  rows: readonly T[],
  key: (row: T) => readonly unknown[],
  replaces: (row: T, held: T) => boolean = bySeq,
): T[] {
  const byKey = new Map<string, T>();
  for (const row of rows) {
    const id = JSON.stringify(key(row));
    const held = byKey.get(id);
    if (held === undefined || replaces(row, held)) byKey.set(id, row);
  }
  return [...byKey.values()];
}

function bySeq(row: { readonly seq: number }, held: { readonly seq: number }): boolean {
  return row.seq > held.seq;
}

/** Returns whether a row replaces the stored row of the same run: the later incarnation wins, then the higher seq. */
export function replacesRun(row: RunRow, held: RunRow): boolean {
  return row.incarnation > held.incarnation || (row.incarnation === held.incarnation && row.seq > held.seq);
}

/** Encodes the rows as JSON lists. Each list is short enough for one bound parameter. */
function chunks(rows: readonly unknown[]): string[] {
  const out: string[] = [];
  let chunk = "";
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (chunk !== "" && chunk.length + text.length > CATALOG_PARAMETER_CHARS_MAX) {
      out.push(`[${chunk}]`);
      chunk = "";
    }
    chunk += chunk === "" ? text : `,${text}`;
  }
  if (chunk !== "") out.push(`[${chunk}]`);
  return out;
}

/**
 * Builds the upsert of a JSON list of rows into the table. "WHERE true" keeps SQLite from parsing ON CONFLICT as part
 * of a join. The CTE extracts each row once; otherwise SQLite would serialize and parse the row again for every column.
 */
function insertFromJson(table: SQLiteTable, replaceWhere: string | null): string {
  const { name, primaryKeys } = getTableConfig(table);
  const key = primaryKeys.flatMap((primary) => primary.columns.map((column) => column.name));
  const fields = Object.entries(getTableColumns(table));
  const columns = fields.map(([, column]) => column.name);
  const values = fields.map(([field, column]) =>
    column.columnType === "SQLiteTextJson" ? `value -> '$.${field}'` : `value ->> '$.${field}'`,
  );
  const set = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = ${replacement(name, column)}`);
  const conflict = replaceWhere === null ? "DO NOTHING" : `DO UPDATE SET ${set.join(", ")} WHERE ${replaceWhere}`;
  return (
    `WITH sent AS MATERIALIZED (SELECT value FROM json_each(?1)) ` +
    `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM sent WHERE true ` +
    `ON CONFLICT (${key.join(", ")}) ${conflict}`
  );
}

/** Returns the SQL of a column's new value. A row without search values leaves the stored values unchanged. */
function replacement(table: string, column: string): string {
  if (column === "recipients") return ALL_RECIPIENTS;
  return column === "search" ? `coalesce(nullif(excluded.search, 'null'), ${table}.search)` : `excluded.${column}`;
}
