// SQL statements that count per day how runs ended. They run in the transaction that writes the run rows, before those
// rows are written, and compare with the stored rows. So a row that is repeated, late or unchanged is not counted
// again. A batch writes one row per tenant and day, plus one per action type with failures.
import { bucketOf } from "#schema/metrics/duration-bucket.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { DAY_ERROR_CHARS_MAX, DAY_MS } from "#schema/limits/upkeep/statistics.ts";

/** Returns whether the row is a run that succeeded or failed. The statements count only such rows. */
export function isEnding({ status, finishedAt }: RunRow): boolean {
  return (status === "ok" || status === "failed") && finishedAt !== null;
}

/** Adds the bucket of the last attempt's duration; null if the duration is unknown. */
export function withBucket(row: RunRow): RunRow & { readonly bucket: number | null } {
  return { ...row, bucket: row.tookMs == null ? null : bucketOf(row.tookMs) };
}

/**
 * Builds the statements that count endings by day, and failures by type. `isNewer` is the SQL that compares a row with
 * the stored run. Each statement binds the rows as one JSON parameter.
 */
export function endingStatements(isNewer: string): { readonly countDays: string; readonly countErrors: string } {
  return { countDays: countDays(isNewer), countErrors: countErrors(isNewer) };
}

/**
 * Selects the rows that are new endings: the run was not stored, or it ended again after a retry. Archiving a dead
 * letter is no new ending. The CTE extracts each row once; otherwise SQLite would extract the row again for every
 * column.
 */
function endings(isNewer: string): string {
  return `WITH sent AS MATERIALIZED (SELECT value FROM json_each(?1)),
  reported AS MATERIALIZED (
    SELECT value ->> '$.tenant' AS tenant, value ->> '$.execution' AS execution, value ->> '$.id' AS id,
      value ->> '$.seq' AS seq, value ->> '$.incarnation' AS incarnation, value ->> '$.createdAt' AS created_at,
      value ->> '$.type' AS type, value ->> '$.status' AS status, value ->> '$.attempt' AS attempt,
      CAST(value ->> '$.finishedAt' AS INTEGER) AS finished_at, value ->> '$.error' AS error,
      CAST(value ->> '$.tookMs' AS INTEGER) AS took_ms, value ->> '$.bucket' AS bucket,
      coalesce(value ->> '$.tries', value ->> '$.attempt') AS tries, coalesce(value ->> '$.timeouts', 0) AS timeouts,
      value ->> '$.errorType' IS 'invalid_configuration' AS is_refused
    FROM sent),
  ended AS (
    SELECT reported.*, reported.finished_at / ${DAY_MS} AS day FROM reported LEFT JOIN runs
      ON runs.tenant = reported.tenant AND runs.execution = reported.execution AND runs.id = reported.id
    WHERE runs.id IS NULL OR ((${isNewer}) AND (runs.finished_at IS NOT reported.finished_at OR runs.status <> reported.status)))`;
}

/** Adds the new endings to the daily counters. */
function countDays(isNewer: string): string {
  const counted = ["total", "successful", "failed", "refused", "retried", "took_ms", "timed"];
  const added = counted.map((name) => `${name} = run_days.${name} + excluded.${name}`);
  return `${endings(isNewer)}, ${COUNTERS}
  INSERT INTO run_days (tenant, day, ${counted.join(", ")}, by_type)
  SELECT tenant, day, count(*), sum(status = 'ok'), sum(status = 'failed'), sum(status = 'failed' AND is_refused),
    sum(attempt > 1), coalesce(sum(took_ms), 0), count(took_ms),
    (SELECT json_group_object(name, n) FROM counters c WHERE c.tenant = ended.tenant AND c.day = ended.day AND n > 0)
  FROM ended WHERE true GROUP BY tenant, day
  ON CONFLICT (tenant, day) DO UPDATE SET ${added.join(", ")}, by_type = (SELECT json_group_object(name, n) FROM (
    SELECT name, sum(n) AS n FROM (SELECT key AS name, value AS n FROM json_each(run_days.by_type)
      UNION ALL SELECT key, value FROM json_each(excluded.by_type)) GROUP BY name))`;
}

/**
 * The CTEs that compute the counters by action type, which `countersSince` returns. json_each splits one JSON object
 * into counters, because D1 allows at most five SELECTs in one compound.
 */
const COUNTERS = `figures AS (
    SELECT tenant, day, type, json_object('runs', count(*), 'ok', sum(status = 'ok'),
      'refused', sum(status = 'failed' AND is_refused), 'retried', sum(tries > 1), 'attempts', sum(tries),
      'timeouts', sum(timeouts), 'ms', sum(took_ms)) AS counted
    FROM ended GROUP BY tenant, day, type),
  counters AS (
    SELECT tenant, day, figures.type || '/' || c.key AS name, c.value AS n FROM figures, json_each(counted) c
    UNION ALL SELECT tenant, day, type || '/took/' || bucket, count(*) FROM ended
      WHERE bucket IS NOT NULL GROUP BY tenant, day, type, bucket)`;

/** Counts failures by type. SQLite takes the bare columns from the row with max(), which is the latest failure. */
function countErrors(isNewer: string): string {
  return `${endings(isNewer)}
  INSERT INTO run_day_errors (tenant, day, type, failed, last_at, last_error)
  SELECT tenant, day, type, count(*), max(finished_at), substr(error, 1, ${DAY_ERROR_CHARS_MAX})
  FROM ended WHERE status = 'failed' GROUP BY tenant, day, type
  ON CONFLICT (tenant, day, type) DO UPDATE SET failed = run_day_errors.failed + excluded.failed,
    last_error = CASE WHEN excluded.last_at >= run_day_errors.last_at THEN excluded.last_error ELSE run_day_errors.last_error END,
    last_at = max(excluded.last_at, run_day_errors.last_at)`;
}
