// Metrics query: reads the figures of a range, groups them, and compares them with the range before.
import { readFigures, type FigureRow, type FiguresQuery } from "#catalog/metrics/figures.ts";
import type { Figures } from "#schema/metrics/figures.ts";
import { figureRanges, type FigureRange } from "#policy/metrics/figure-range.ts";
import {
  groupFigures,
  type CountedRow,
  type FigureFilters,
  type FigureGroup,
  type GroupedFigures,
} from "#policy/metrics/group-figures.ts";
import { FIGURE_POINTS_MAX, FIGURES_READ_MAX, HOUR_MS } from "#schema/limits/upkeep/statistics.ts";
import type { CounterGroups } from "#schema/metrics/counter-names.ts";
import type { FigureDimension, FigureSpan } from "#schema/metrics/query.ts";
import { accept, type Refusal, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type MetricsQuery = {
  readonly from: number | null;
  readonly to: number | null;
  readonly step: FigureSpan;
  readonly isCompared: boolean;
  readonly groupBy: readonly FigureDimension[];
  readonly filters: FigureFilters;
  readonly limit: number;
};

export type MetricsAnswer = {
  readonly from: number;
  readonly to: number;
  readonly asOf: number;
  /** When the latest counted event happened; null without figures. */
  readonly newestAt: number | null;
  readonly groups: readonly (FigureGroup & { readonly previous: Figures | null })[];
  readonly other: GroupedFigures["other"];
};

export async function queryFigures(
  { db, now }: Pick<Deps, "db" | "now">,
  { tenant }: TenantCaller,
  query: MetricsQuery,
): Promise<Result<MetricsAnswer>> {
  const { step: span, groupBy, filters } = query;
  const asOf = now();
  const ranges = figureRanges({ ...query, now: asOf, span });
  if (ranges === null) return rangeRefusal;
  const { range, before } = ranges;
  const of = rowsFor(query);
  const read = (each: FigureRange) => readFigures(db, { tenant, of, ...each, max: FIGURES_READ_MAX });
  const [rows, earlier] = await Promise.all([read(range), before === null ? [] : read(before)]);
  if (rows === null || earlier === null) return sizeRefusal;
  const points = span === "none" ? 1 : (range.toHour - range.fromHour + 1) / (range.step === "day" ? 24 : 1);
  const groupsMax = Math.max(1, Math.min(query.limit, Math.floor(FIGURE_POINTS_MAX / points)));
  const grouped = groupFigures(
    rows.map((row) => countedRow(row, range)),
    { groupBy, filters, groupsMax },
  );
  const previous = groupFigures(
    earlier.map((row) => countedRow(row, range)),
    { groupBy, filters, groupsMax: Infinity },
  );
  const figuresBefore = new Map(previous.groups.map(({ key, figures }) => [JSON.stringify(key), figures]));
  return accept({
    from: range.fromHour * HOUR_MS,
    to: (range.toHour + 1) * HOUR_MS,
    asOf,
    newestAt: rows.length === 0 ? null : Math.max(...rows.map(({ newest }) => newest)),
    groups: grouped.groups.map((group) => ({
      ...group,
      points: span === "none" ? [] : group.points,
      previous: figuresBefore.get(JSON.stringify(group.key)) ?? null,
    })),
    other: grouped.other,
  });
}

/** Without a definition, an action or a connection, the rows that add up all definitions are sufficient. */
function rowsFor({ groupBy, filters }: MetricsQuery): FiguresQuery["of"] {
  const { definition, version, action, connection } = filters;
  if (definition !== undefined) return { definition };
  const isFiltered = version !== undefined || action !== undefined || connection !== undefined;
  return isFiltered || groupBy.some((each) => each !== "type" && each !== "outcome") ? "all" : "sum";
}

function countedRow({ step, at, definition, version, counters }: FigureRow, range: FigureRange): CountedRow {
  const isHour = step === "fresh" || step === "hour";
  const hour = isHour ? at : at * 24;
  const begin = range.step === "day" ? Math.floor(hour / 24) * 24 : hour;
  // The engine has written the JSON, so only its type is stated here.
  return { at: begin * HOUR_MS, definition, version, groups: JSON.parse(counters) as CounterGroups };
}

const refuseRange = (
  code: string,
  message: string,
  hint: string,
): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal: { code: "invalid_input", message, errors: [{ pointer: "?from", code, message, hint }] },
});

const rangeRefusal = refuseRange(
  "invalid",
  "The range must end after it begins, and hours are kept for 8 days.",
  "Set `from` before `to`, or request `step=day`.",
);

const sizeRefusal = refuseRange(
  "too_large",
  "The range has more figures than one query may read.",
  "Request a shorter range, `step=day` or one definition.",
);
