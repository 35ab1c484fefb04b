// SQL statements that mark executions as quarantined, with the reason. No other statement sets the mark. Rows are
// matched by id and creation time, because other fields of an unreadable execution may be unknown.
import { getTableColumns } from "drizzle-orm";
import type { QuarantineRow } from "#schema/engine/projection.ts";
import { executions } from "../tables/executions.ts";

const MATCHES_ROW = `executions.tenant = j.value ->> '$.tenant' AND executions.id = j.value ->> '$.id'
  AND executions.created_at BETWEEN j.value ->> '$.createdFrom' AND j.value ->> '$.createdTo'`;

/** Sets or clears the mark, unless the row has a later projection or a later quarantine report. */
const setMark = `UPDATE executions SET quarantine = j.value ->> '$.reason', quarantined_at = j.value ->> '$.at'
  FROM json_each(?1) j WHERE ${MATCHES_ROW}
  AND executions.updated_at <= j.value ->> '$.at' AND COALESCE(executions.quarantined_at, 0) <= j.value ->> '$.at'
  AND (executions.quarantine IS NOT j.value ->> '$.reason'
    OR (j.value ->> '$.isBack' AND executions.quarantined_at IS NULL))`;

const fields = Object.entries(getTableColumns(executions));
const values = fields.map(([field, column]) => {
  if (field === "quarantine") return "j.value ->> '$.reason'";
  if (field === "quarantinedAt") return "j.value ->> '$.at'";
  return column.columnType === "SQLiteTextJson" ? `j.value -> '$.row.${field}'` : `j.value ->> '$.row.${field}'`;
});
/** Inserts a row for a quarantined execution that was never projected, with the fields that its cell could read. */
const insertMissing = `INSERT INTO executions (${fields.map(([, { name }]) => name).join(", ")}) SELECT ${values.join(", ")}
  FROM json_each(?1) j WHERE j.value ->> '$.reason' IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM executions WHERE ${MATCHES_ROW}) ON CONFLICT DO NOTHING`;

/** Deletes a row that was listed under a guessed creation time. A report with the actual creation time replaces it. */
const deleteGuessed = `DELETE FROM executions WHERE (tenant, created_at, id) IN (
  SELECT e.tenant, e.created_at, e.id FROM json_each(?1) j CROSS JOIN executions e INDEXED BY executions_unknown
  ON e.definition_id = 'unknown' AND e.tenant = j.value ->> '$.tenant' AND e.id = j.value ->> '$.id'
  WHERE e.quarantine IS NOT NULL AND j.value ->> '$.reason' IS NULL
  AND j.value ->> '$.row.definitionId' <> 'unknown' AND e.created_at <> j.value ->> '$.row.createdAt')`;

/** The statements in the order of execution. Each binds the quarantine rows as one JSON parameter. */
export const quarantineStatements = [deleteGuessed, setMark, insertMissing] as const;

/** Returns the latest quarantine row of each execution. */
export function latest(rows: readonly QuarantineRow[]): readonly QuarantineRow[] {
  const byId = new Map<string, QuarantineRow>();
  for (const row of rows) {
    const name = JSON.stringify([row.tenant, row.id]);
    const held = byId.get(name);
    if (held === undefined || row.at >= held.at) byId.set(name, row);
  }
  return [...byId.values()];
}
