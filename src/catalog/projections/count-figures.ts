// SQL that counts what projected rows add to the figures. It runs in the transaction that writes the rows, before they
// are written, and compares them with the stored rows. So a row that is repeated, late or unchanged is not counted
// again. A batch writes one row of figures per tenant, hour, definition and version.
import { EXECUTIONS_GROUP } from "#schema/metrics/counter-names.ts";
import { executionEnding, runCounters } from "#schema/metrics/run-counters.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import { FIGURE_KEYS_MAX, HOUR_MS } from "#schema/limits/upkeep/statistics.ts";
import { ADDED, ON_CONFLICT } from "../metrics/merge-counters.ts";

/** What the statement needs of a run. */
export function countedRun(row: RunRow): object | null {
  const counters = runCounters(row);
  if (counters === null) return null;
  const { tenant, execution, id, seq, incarnation, definition, version, status, finishedAt } = row;
  return {
    tenant,
    execution,
    id,
    seq,
    incarnation,
    definition,
    version: version ?? 0,
    status,
    finishedAt,
    ...counters,
  };
}

/** What the statement needs of an execution. */
export function countedExecution(row: ExecutionRow): object {
  const { tenant, id: execution, seq, createdAt: incarnation, definitionName, definitionVersion, finishedAt } = row;
  const key = { tenant, execution, id: null, seq, incarnation, definition: definitionName, version: definitionVersion };
  return { ...key, finishedAt, group: EXECUTIONS_GROUP, ending: executionEnding(row) };
}

/** Returns the columns of the stored run's row that record what was counted. An ok run is never counted again. */
export function withCounted(row: RunRow): RunRow & { readonly counted?: object } {
  return row.status === "ok" ? row : { ...row, counted: runCounters(row)?.totals ?? {} };
}

const KEY = "tenant, at / " + HOUR_MS + " AS hour, at, definition, version, grp";

/**
 * `base`: what was counted of the run before. If a previous version has stored the end of the run, that version has
 * counted it. `missed`: failures that were never projected, because the run was retried before. `runIsNewer` is the SQL
 * that compares a row with the stored run. The statement binds a JSON list of `countedRun` and `countedExecution`.
 */
export function countFigures(runIsNewer: string): string {
  return `WITH sent AS MATERIALIZED (SELECT value FROM json_each(?1)),
  reported AS MATERIALIZED (
    SELECT value ->> '$.tenant' AS tenant, value ->> '$.execution' AS execution, value ->> '$.id' AS id,
      value ->> '$.seq' AS seq, value ->> '$.incarnation' AS incarnation, value ->> '$.definition' AS definition,
      value ->> '$.version' AS version, value ->> '$.group' AS grp, CAST(value ->> '$.at' AS INTEGER) AS at,
      value ->> '$.status' AS status, CAST(value ->> '$.finishedAt' AS INTEGER) AS finished_at,
      value ->> '$.totals' AS totals, value ->> '$.ending' AS ending
    FROM sent),
  run AS MATERIALIZED (
    SELECT reported.*, runs.incarnation IS NOT reported.incarnation AS is_new,
      CASE WHEN runs.incarnation IS NOT reported.incarnation THEN '{}'
        ELSE coalesce(runs.counted, CASE WHEN runs.finished_at IS NULL THEN '{}' ELSE totals END) END AS base,
      ending IS NOT NULL AND (runs.incarnation IS NOT reported.incarnation
        OR runs.finished_at IS NOT reported.finished_at OR runs.status <> reported.status) AS has_ended,
      CASE WHEN runs.incarnation IS NOT reported.incarnation THEN totals ->> '$.redriven'
        WHEN runs.counted IS NOT NULL THEN (totals ->> '$.redriven') - coalesce(runs.counted ->> '$.redriven', 0)
          - (runs.status = 'failed') END AS missed
    FROM reported LEFT JOIN runs
      ON runs.tenant = reported.tenant AND runs.execution = reported.execution AND runs.id = reported.id
    WHERE reported.id IS NOT NULL AND CASE
      WHEN runs.id IS NULL THEN NOT EXISTS (SELECT 1 FROM executions e WHERE e.tenant = reported.tenant
        AND e.created_at = reported.incarnation AND e.id = reported.execution AND e.erased_at IS NOT NULL)
      ELSE ${runIsNewer} AND (runs.status <> 'ok' OR runs.incarnation <> reported.incarnation) END),
  execution AS MATERIALIZED (
    SELECT reported.*, e.id IS NULL AS is_new, e.finished_at IS NULL AND ending IS NOT NULL AS has_ended
    FROM reported LEFT JOIN executions e
      ON e.tenant = reported.tenant AND e.created_at = reported.incarnation AND e.id = reported.execution
    WHERE reported.id IS NULL AND (e.id IS NULL OR reported.seq > e.seq)),
  moved AS (
    SELECT ${KEY}, t.key AS name, t.value - CASE WHEN base = '{}' OR t.key GLOB '*/m[ai][xn]' THEN 0
      ELSE coalesce(base ->> ('$."' || t.key || '"'), 0) END AS n
    FROM run, json_each(totals) t WHERE base = '{}' OR t.value IS NOT (base ->> ('$."' || t.key || '"'))
    UNION ALL SELECT ${KEY}, t.key, t.value FROM run, json_each(ending) t WHERE has_ended
    UNION ALL SELECT ${KEY}, t.value, missed FROM run, json_each('["failed","failure/*/*"]') t WHERE missed > 0
    UNION ALL SELECT tenant, incarnation / ${HOUR_MS}, incarnation, definition, version, grp, 'started', 1
      FROM execution WHERE is_new
    UNION ALL SELECT tenant, finished_at / ${HOUR_MS}, finished_at, definition, version, grp, t.key, t.value
      FROM execution, json_each(ending) t WHERE has_ended),
  added AS (SELECT tenant, hour, definition, version, grp, name, ${ADDED} AS n, min(at) AS since, max(at) AS newest
    FROM moved WHERE n > 0 OR name GLOB '*/m[ai][nx]' GROUP BY name, grp, hour, version, definition, tenant),
  grouped AS (SELECT tenant, hour, definition, version, grp, json_group_object(name, n) AS counters, min(since) AS since,
    max(newest) AS newest FROM added GROUP BY tenant, hour, definition, version, grp),
  counted AS (SELECT tenant, hour, definition, version, json_group_object(grp, json(counters)) AS counters,
    min(since) AS since, max(newest) AS newest FROM grouped GROUP BY tenant, hour, definition, version),
  placed AS (SELECT counted.*, NOT EXISTS (SELECT 1 FROM figures f WHERE f.tenant = counted.tenant AND f.step = 'fresh'
      AND f.definition = counted.definition AND f.at = hour AND f.version = counted.version)
    AND (SELECT count(*) FROM figures f WHERE f.tenant = counted.tenant AND f.step = 'fresh') >= ${FIGURE_KEYS_MAX}
    AS is_beyond FROM counted)
  INSERT INTO figures (tenant, step, definition, at, version, since, newest, counters)
  SELECT tenant, 'fresh', iif(is_beyond, '*', definition), hour, iif(is_beyond, 0, version), since, newest, counters
  FROM placed WHERE true ${ON_CONFLICT}`;
}
