// Counts how runs end, day by day. Runs before their rows are written, in the same transaction: what it compares them with
// is what was known until then, so that a row that comes twice, late or again as it was moves nothing. A batch writes one
// row a tenant and day, however many runs are in it; one a type more where some failed.
import type { RunRow } from "#schema/engine/projection.ts";
import { DAY_ERROR_CHARS_MAX, DAY_MS } from "#schema/limits/upkeep.ts";

/** What these statements are bound to: the others cannot move anything. */
export function isEnding({ status, finishedAt }: RunRow): boolean {
  return (status === "ok" || status === "failed") && finishedAt !== null;
}

/** `isNewer`: whether a row of the list takes the place of the one in the table. One parameter: a list of rows, as JSON. */
export function endingStatements(isNewer: string): readonly string[] {
  return [countDays(isNewer), countErrors(isNewer)];
}

/** A failure that was sent again and ends anew is another ending; one that was only looked at, or archived, is none. */
function endings(isNewer: string): string {
  return `WITH told AS (
    SELECT value ->> '$.tenant' AS tenant, value ->> '$.execution' AS execution, value ->> '$.id' AS id,
      value ->> '$.seq' AS seq, value ->> '$.life' AS life, value ->> '$.createdAt' AS created_at,
      value ->> '$.type' AS type, value ->> '$.status' AS status, value ->> '$.attempt' AS attempt,
      CAST(value ->> '$.finishedAt' AS INTEGER) AS finished_at, value ->> '$.error' AS error,
      CAST(value ->> '$.tookMs' AS INTEGER) AS took_ms,
      value ->> '$.errorType' IS 'invalid_configuration' AS is_refused
    FROM json_each(?1)),
  ended AS (
    SELECT told.*, told.finished_at / ${DAY_MS} AS day FROM told LEFT JOIN runs
      ON runs.tenant = told.tenant AND runs.execution = told.execution AND runs.id = told.id
    WHERE runs.id IS NULL OR ((${isNewer}) AND (runs.finished_at IS NOT told.finished_at OR runs.status <> told.status)))`;
}

function countDays(isNewer: string): string {
  const counted = ["total", "successful", "failed", "refused", "retried", "took_ms", "timed"];
  return `${endings(isNewer)}
  INSERT INTO run_days (tenant, day, ${counted.join(", ")})
  SELECT tenant, day, count(*), sum(status = 'ok'), sum(status = 'failed'), sum(status = 'failed' AND is_refused),
    sum(attempt > 1), coalesce(sum(took_ms), 0), count(took_ms)
  FROM ended WHERE true GROUP BY tenant, day
  ON CONFLICT (tenant, day) DO UPDATE SET ${counted.map((name) => `${name} = run_days.${name} + excluded.${name}`).join(", ")}`;
}

/** Beside max() SQLite takes the other columns from the row that it is of. */
function countErrors(isNewer: string): string {
  return `${endings(isNewer)}
  INSERT INTO run_day_errors (tenant, day, type, failed, last_at, last_error)
  SELECT tenant, day, type, count(*), max(finished_at), substr(error, 1, ${DAY_ERROR_CHARS_MAX})
  FROM ended WHERE status = 'failed' GROUP BY tenant, day, type
  ON CONFLICT (tenant, day, type) DO UPDATE SET failed = run_day_errors.failed + excluded.failed,
    last_error = CASE WHEN excluded.last_at >= run_day_errors.last_at THEN excluded.last_error ELSE run_day_errors.last_error END,
    last_at = max(excluded.last_at, run_day_errors.last_at)`;
}
