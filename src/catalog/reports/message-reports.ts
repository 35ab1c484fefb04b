// Stores reports about messages, and derives from them the delivery status of each run and the counters of each day. A
// report is stored and counted once, however often it arrives. Each statement binds the reports as one JSON parameter.
import type { MessageReport } from "#schema/reports/report.ts";
import { REPORTS_PER_RUN_MAX } from "#schema/limits/inbound/callbacks.ts";
import { DAY_MS } from "#schema/limits/upkeep/statistics.ts";
import type { Db } from "../db.ts";

const columns = {
  ...{ tenant: "tenant", execution: "execution", run: "run", id: "id", incarnation: "incarnation" },
  ...{ definition: "definition", attempt: "attempt", kind: "kind", at: "at", rank: "rank" },
  ...{ recipient: "recipient", messageId: "message_id", code: "code", reason: "reason" },
} satisfies { readonly [field in keyof MessageReport]: string };

/** The reports of the request. The CTE extracts each once. */
const SENT = `WITH sent AS MATERIALIZED (
  SELECT ${Object.entries(columns)
    .map(([field, column]) => `value ->> '$.${field}' AS ${column}`)
    .join(", ")} FROM json_each(?1))`;

/** A run keeps a limited number of reports. Further ones are not stored and not counted. */
const INSERT = `${SENT}
  INSERT INTO message_reports (tenant, execution, run, id, incarnation, kind, at, recipient, received_at, request)
  SELECT tenant, execution, run, id, incarnation, kind, at, recipient, ?2, ?3 FROM sent
  WHERE ${REPORTS_PER_RUN_MAX} > coalesce((SELECT reports FROM message_statuses s
    WHERE s.tenant = sent.tenant AND s.execution = sent.execution AND s.run = sent.run), 0)
  ON CONFLICT DO NOTHING`;

/** The reports that the first statement has written, and not an earlier request. */
const WRITTEN = `${SENT}, written AS (
  SELECT sent.* FROM sent JOIN message_reports r
    ON r.tenant = sent.tenant AND r.execution = sent.execution AND r.run = sent.run AND r.id = sent.id
  WHERE r.request = ?3)`;

const COUNT_DAYS = `${WRITTEN}
  INSERT INTO message_days (tenant, day, definition, kind, n)
  SELECT tenant, at / ${DAY_MS}, definition, kind, count(*) FROM written WHERE true
    GROUP BY tenant, at / ${DAY_MS}, definition, kind
  ON CONFLICT (tenant, day, definition, kind) DO UPDATE SET n = message_days.n + excluded.n`;

/** The columns of the report with the highest rank. SQLite takes them from the row with max(). */
const DECISIVE = ["rank", "kind", "at", "attempt", "recipient", "message_id", "code", "reason"];
/** A report about a later execution that reuses the id replaces the status of the earlier execution. */
const IS_LATER = "excluded.incarnation > message_statuses.incarnation";
const DECIDES = "(excluded.incarnation, excluded.rank) > (message_statuses.incarnation, message_statuses.rank)";

const UPDATE_STATUSES = `${WRITTEN}, kinds AS (
    SELECT tenant, execution, run, incarnation, kind, count(*) AS n FROM written
    GROUP BY tenant, execution, run, incarnation, kind),
  latest AS (
    SELECT tenant, execution, run, incarnation, max(rank) AS rank, kind, at, attempt, recipient, message_id, code, reason,
      count(*) AS reports FROM written GROUP BY tenant, execution, run, incarnation)
  INSERT INTO message_statuses (tenant, execution, run, incarnation, ${DECISIVE.join(", ")}, reports, counts, updated_at)
  SELECT tenant, execution, run, incarnation, ${DECISIVE.join(", ")}, reports,
    (SELECT json_group_object(kind, n) FROM kinds k WHERE k.tenant = latest.tenant AND k.execution = latest.execution
      AND k.run = latest.run AND k.incarnation = latest.incarnation), ?2
  FROM latest WHERE true
  ON CONFLICT (tenant, execution, run) DO UPDATE SET
    ${DECISIVE.map((name) => `${name} = CASE WHEN ${DECIDES} THEN excluded.${name} ELSE message_statuses.${name} END`).join(", ")},
    reports = CASE WHEN ${IS_LATER} THEN 0 ELSE message_statuses.reports END + excluded.reports,
    counts = CASE WHEN ${IS_LATER} THEN excluded.counts ELSE (SELECT json_group_object(name, n) FROM (
      SELECT name, sum(n) AS n FROM (SELECT key AS name, value AS n FROM json_each(message_statuses.counts)
        UNION ALL SELECT key, value FROM json_each(excluded.counts)) GROUP BY name)) END,
    incarnation = max(message_statuses.incarnation, excluded.incarnation), updated_at = excluded.updated_at
  WHERE excluded.incarnation >= message_statuses.incarnation`;

/** Stores the reports in one transaction; returns how many were new. `request`: the unique id of this call. */
export async function storeReports(
  db: Db,
  reports: readonly MessageReport[],
  { now, request }: { readonly now: number; readonly request: string },
): Promise<number> {
  if (reports.length === 0) return 0;
  const sent = JSON.stringify(reports);
  const [inserted] = await db.$client.batch(
    [INSERT, COUNT_DAYS, UPDATE_STATUSES].map((sql) => db.$client.prepare(sql).bind(sent, now, request)),
  );
  return inserted?.meta.changes ?? 0;
}

export type ReportKey = Pick<MessageReport, "execution" | "run" | "id">;

/** Returns those of the reports that are stored already, as `<execution> <run> <id>`. */
export async function storedReports(db: Db, tenant: string, keys: readonly ReportKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const sql = `SELECT r.execution || ' ' || r.run || ' ' || r.id AS name FROM json_each(?2) k CROSS JOIN message_reports r
    WHERE r.tenant = ?1 AND r.execution = k.value ->> '$.execution' AND r.run = k.value ->> '$.run'
      AND r.id = k.value ->> '$.id'`;
  const found = await db.$client.prepare(sql).bind(tenant, JSON.stringify(keys)).all<{ readonly name: string }>();
  return new Set(found.results.map(({ name }) => name));
}

export function reportName({ execution, run, id }: ReportKey): string {
  return `${execution} ${run} ${id}`;
}
