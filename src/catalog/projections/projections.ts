// Projection writes: store what executions report. Rows are complete and numbered: the later incarnation of an id wins
// and in it the higher seq, so applying a message twice or late changes nothing and writes nothing. One bound parameter
// per statement (D1 allows 100).
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ProjectionMessage, RunRow } from "#schema/engine/projection.ts";
import { CATALOG_PARAMETER_CHARS_MAX } from "#schema/limits/upkeep.ts";
import type { Db } from "../db.ts";
import { latest, quarantineStatements } from "./quarantine.ts";
import { endingStatements, isEnding, withBucket } from "./run-endings.ts";
import { audit } from "../tables/audit.ts";
import { executions } from "../tables/executions.ts";
import { recurring } from "../tables/recurring.ts";
import { runs } from "../tables/runs.ts";

/** The same rule as `replacesRun`, in SQL. */
const runIsNewer = (row: string): string => `(${row}.incarnation, ${row}.seq) > (runs.incarnation, runs.seq)`;
// The incarnation of an execution is part of its key.
const upsertExecutions = insertFromJson(executions, "excluded.seq > executions.seq");
const upsertRuns = insertFromJson(runs, runIsNewer("excluded"));
const { countDays, countErrors } = endingStatements(runIsNewer("told"));
// A deleted row stays deleted, whatever arrives late.
const upsertRecurring = insertFromJson(recurring, "excluded.seq > recurring.seq AND recurring.deleted_at IS NULL");
const insertAudit = insertFromJson(audit, null);

/** All or nothing, in one transaction. */
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
  const endings = runRows.filter(isEnding).map(withBucket);
  const statements = [
    ...chunks(executionRows).map((chunk) => db.$client.prepare(upsertExecutions).bind(chunk)),
    ...chunks(endings).map((chunk) => db.$client.prepare(countDays).bind(chunk)),
    ...chunks(endings.filter(({ status }) => status === "failed")).map((chunk) =>
      db.$client.prepare(countErrors).bind(chunk),
    ),
    ...chunks(runRows).map((chunk) => db.$client.prepare(upsertRuns).bind(chunk)),
    ...chunks(recurringRows).map((chunk) => db.$client.prepare(upsertRecurring).bind(chunk)),
    ...chunks(messages.flatMap((m) => m.audit)).map((chunk) => db.$client.prepare(insertAudit).bind(chunk)),
    ...chunks(latest(messages.flatMap(({ quarantined = [] }) => quarantined))).flatMap((chunk) =>
      quarantineStatements.map((statement) => db.$client.prepare(statement).bind(chunk)),
    ),
  ];
  if (statements.length === 0) return { rowsWritten: 0 };
  const results = await db.$client.batch(statements);
  return { rowsWritten: results.reduce((sum, result) => sum + result.meta.rows_written, 0) };
}

/** Several versions of one row in one batch would each be written and billed. */
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

/** Whether a row replaces the stored row of the same run: the later incarnation wins, then the higher seq. */
export function replacesRun(row: RunRow, held: RunRow): boolean {
  return row.incarnation > held.incarnation || (row.incarnation === held.incarnation && row.seq > held.seq);
}

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
 * "WHERE true" keeps SQLite from reading ON CONFLICT as part of a join. Each row is extracted from the list once:
 * otherwise SQLite would serialize and parse json_each's value again for every column.
 */
function insertFromJson(table: SQLiteTable, replaceWhere: string | null): string {
  const { name, primaryKeys } = getTableConfig(table);
  const key = primaryKeys.flatMap((primary) => primary.columns.map((column) => column.name));
  const fields = Object.entries(getTableColumns(table));
  const columns = fields.map(([, column]) => column.name);
  const values = fields.map(([field, column]) =>
    column.columnType === "SQLiteTextJson" ? `value -> '$.${field}'` : `value ->> '$.${field}'`,
  );
  const set = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`);
  const conflict = replaceWhere === null ? "DO NOTHING" : `DO UPDATE SET ${set.join(", ")} WHERE ${replaceWhere}`;
  return (
    `WITH sent AS MATERIALIZED (SELECT value FROM json_each(?1)) ` +
    `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM sent WHERE true ` +
    `ON CONFLICT (${key.join(", ")}) ${conflict}`
  );
}
