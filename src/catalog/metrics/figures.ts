// Reads rows of figures. Every query adds the fresh rows, which the sweeper has not folded yet, in the same statement.
// So a query counts each event exactly once, whenever the sweeper folds.
import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db.ts";
import type { figures, FigureStep } from "../tables/figures.ts";

/** `counters` is the JSON of the groups. `at`: the hour of a fresh row, else the hour or the day of `step`. */
export type FigureRow = typeof figures.$inferSelect;

export type FiguresQuery = {
  /** null: every tenant. */
  readonly tenant: string | null;
  readonly step: Exclude<FigureStep, "fresh">;
  /** A definition's name. all: each definition in rows of its own. sum: rows that add up all definitions by action type. */
  readonly of: { readonly definition: string } | "all" | "sum";
  /** The first and the last hour of the range, in hours since 1970. */
  readonly fromHour: number;
  readonly toHour: number;
  readonly max: { readonly rows: number; readonly chars: number };
};

/** Returns the rows of the range; null if they are more or larger than `max`. */
export async function readFigures(db: Db, query: FiguresQuery): Promise<readonly FigureRow[] | null> {
  const { fromHour, toHour, max } = query;
  const fresh = sql`${figuresOf(query, "fresh")} AND at BETWEEN ${fromHour} AND ${toHour}`;
  const rows = await db.all<FigureRow & { readonly chars: number }>(sql`
    SELECT tenant, step, definition, at, version, since, newest, chars,
      iif(chars > ${max.chars}, '{}', counters) AS counters
    FROM (SELECT *, sum(length(counters)) OVER () AS chars FROM (
      SELECT * FROM (${foldedRows(query)} UNION ALL SELECT * FROM (${fresh})) LIMIT ${max.rows + 1}))`);
  const isTooMuch = rows.length > max.rows || (rows[0]?.chars ?? 0) > max.chars;
  return isTooMuch ? null : rows;
}

function foldedRows(query: FiguresQuery): SQL {
  const { step, of, fromHour, toHour } = query;
  const range =
    step === "total"
      ? sql`f.at = 0`
      : step === "day"
        ? sql`f.at BETWEEN ${Math.floor(fromHour / 24)} AND ${Math.floor(toHour / 24)}`
        : sql`f.at BETWEEN ${fromHour} AND ${toHour}`;
  if (of !== "all" || step === "total") return sql`SELECT f.* FROM (${figuresOf(query, step)}) f WHERE ${range}`;
  // The totals name the definitions, so that only the rows of the range are read.
  return sql`SELECT f.* FROM (${figuresOf(query, "total")}) d CROSS JOIN figures f
    WHERE f.tenant = d.tenant AND f.step = ${step} AND f.definition = d.definition AND ${range}`;
}

/** Selects the rows of a step. The sum of all definitions has rows of its own, except among the fresh ones. */
function figuresOf({ tenant, of }: FiguresQuery, step: FigureStep): SQL {
  const tenants = tenant === null ? sql`tenant IN (SELECT id FROM tenants)` : sql`tenant = ${tenant}`;
  const chosen = typeof of === "object" ? sql`= ${of.definition}` : of === "sum" ? sql`= ''` : sql`> ''`;
  const definitions = step === "fresh" && of === "sum" ? sql`> ''` : chosen;
  return sql`SELECT * FROM figures WHERE ${tenants} AND step = ${step} AND definition ${definitions}`;
}
