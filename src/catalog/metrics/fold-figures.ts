// Folds fresh figures into hours, days and totals, and purges old hours and days. Each step adds the fresh rows and
// deletes them in one transaction. So every event is in the fresh rows or in the folded rows, never in both.
import type { Db } from "../db.ts";
import { FIGURE_DEFINITIONS_MAX } from "#schema/limits/upkeep/statistics.ts";
import { byType, ON_CONFLICT } from "./merge-counters.ts";

type Key = { readonly tenant: string; readonly definition: string; readonly at: number; readonly version: number };

/**
 * Folds up to `limit` fresh rows of hours before `hour`; returns their number. A later projection of such an hour writes
 * a fresh row again, which a later step folds.
 */
export async function foldFigures(db: Db, hour: number, limit: number): Promise<number> {
  const found = await db.$client
    .prepare(
      `SELECT f.tenant, f.definition, f.at, f.version FROM tenants t CROSS JOIN figures f
        WHERE f.tenant = t.id AND f.step = 'fresh' AND f.at < ?1 LIMIT ?2`,
    )
    .bind(hour, limit)
    .all<Key>();
  if (found.results.length === 0) return 0;
  const keys = JSON.stringify(found.results);
  await db.$client.batch(statements.map((statement) => db.$client.prepare(statement).bind(keys)));
  return found.results.length;
}

const KEYS = `SELECT value ->> '$.tenant', 'fresh', value ->> '$.definition', value ->> '$.at', value ->> '$.version'
  FROM json_each(?1)`;

/** Adds the fresh rows to the rows of another step. */
function addTo(step: string, at: string, { definition, version, counters }: { readonly [column: string]: string }) {
  return `INSERT INTO figures (tenant, step, definition, at, version, since, newest, counters)
    SELECT tenant, '${step}', ${definition}, ${at}, ${version}, since, newest, ${counters} FROM figures f
    WHERE (tenant, step, definition, at, version) IN (${KEYS}) ${ON_CONFLICT}`;
}

const hasTotal =
  "EXISTS (SELECT 1 FROM figures t WHERE t.tenant = f.tenant AND t.step = 'total' AND t.definition = f.definition)";
const isBelowMax = `(SELECT count(*) FROM figures t WHERE t.tenant = f.tenant AND t.step = 'total') < ${FIGURE_DEFINITIONS_MAX}`;
const ofTenant = { definition: "''", version: "0", counters: byType("f.counters") };
/** Queries find the definitions by their totals, so a definition without a total has no rows of its own. */
const ofDefinition = {
  definition: `iif(${hasTotal}, definition, '*')`,
  version: `iif(${hasTotal}, version, 0)`,
  counters: "counters",
};
const ofTotal = { ...ofDefinition, definition: `iif(${hasTotal} OR ${isBelowMax}, definition, '*')`, version: "0" };

const statements: readonly string[] = [
  addTo("total", "0", ofTotal),
  addTo("total", "0", ofTenant),
  ...[ofDefinition, ofTenant].flatMap((level) => [addTo("hour", "at", level), addTo("day", "at / 24", level)]),
  `DELETE FROM figures WHERE (tenant, step, definition, at, version) IN (${KEYS})`,
];

/** Deletes up to `limit` hours and as many days that are too old; returns the number of deleted rows. */
export async function purgeFigures(
  db: Db,
  before: { readonly hour: number; readonly day: number },
  limit: number,
): Promise<number> {
  const deleteOld = (step: "hour" | "day", at: number) =>
    db.$client
      .prepare(
        `DELETE FROM figures WHERE (tenant, step, definition, at, version) IN (
          SELECT f.tenant, f.step, f.definition, f.at, f.version FROM tenants t CROSS JOIN figures d CROSS JOIN figures f
          WHERE d.tenant = t.id AND d.step = 'total' AND f.tenant = t.id AND f.step = ?1
            AND f.definition = d.definition AND f.at < ?2 LIMIT ?3)`,
      )
      .bind(step, at, limit);
  const results = await db.$client.batch([deleteOld("hour", before.hour), deleteOld("day", before.day)]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
