// SQL that counts failures per day and action type, with the latest error message. It runs in the transaction that
// writes the run rows, before those rows are written, and compares with the stored rows. So a row that is repeated, late
// or unchanged is not counted again. A batch writes one row per tenant, day and action type with failures.
import type { RunRow } from "#schema/engine/projection.ts";
import { DAY_ERROR_CHARS_MAX, DAY_MS } from "#schema/limits/upkeep/statistics.ts";

export function isFailure({ status, finishedAt }: RunRow): boolean {
  return status === "failed" && finishedAt !== null;
}

/**
 * Builds the statement. It binds the failed rows as one JSON parameter. `isNewer` is the SQL that compares a row with
 * the stored run. A run that fails again after a retry is counted again; archiving a dead letter is no new failure.
 * SQLite takes the bare columns from the row with max(), which is the latest failure.
 */
export function countFailures(isNewer: string): string {
  return `WITH sent AS MATERIALIZED (SELECT value FROM json_each(?1)),
  reported AS MATERIALIZED (
    SELECT value ->> '$.tenant' AS tenant, value ->> '$.execution' AS execution, value ->> '$.id' AS id,
      value ->> '$.seq' AS seq, value ->> '$.incarnation' AS incarnation, value ->> '$.type' AS type,
      CAST(value ->> '$.finishedAt' AS INTEGER) AS finished_at, value ->> '$.error' AS error
    FROM sent)
  INSERT INTO run_day_errors (tenant, day, type, failed, last_at, last_error)
  SELECT reported.tenant, reported.finished_at / ${DAY_MS} AS day, reported.type, count(*), max(reported.finished_at),
    substr(reported.error, 1, ${DAY_ERROR_CHARS_MAX})
  FROM reported LEFT JOIN runs
    ON runs.tenant = reported.tenant AND runs.execution = reported.execution AND runs.id = reported.id
  WHERE runs.id IS NULL OR (${isNewer} AND (runs.finished_at IS NOT reported.finished_at OR runs.status <> 'failed'))
  GROUP BY reported.tenant, day, reported.type
  ON CONFLICT (tenant, day, type) DO UPDATE SET failed = run_day_errors.failed + excluded.failed,
    last_error = CASE WHEN excluded.last_at >= run_day_errors.last_at THEN excluded.last_error ELSE run_day_errors.last_error END,
    last_at = max(excluded.last_at, run_day_errors.last_at)`;
}
