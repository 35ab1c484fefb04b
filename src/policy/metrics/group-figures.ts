// Groups figures: adds the counters of many rows by the requested dimensions, and keeps the largest groups.
import {
  addInto,
  EXECUTIONS_GROUP,
  executionOutcomes,
  parseGroup,
  runOutcomes,
  type CounterGroups,
  type Counters,
  type CounterSums,
} from "#schema/metrics/counter-names.ts";
import type { FigureDimension, FigureKey } from "#schema/metrics/query.ts";
import type { Durations, Figures } from "#schema/metrics/figures.ts";
import { deriveFigures, durationsIn } from "./derive-figures.ts";

/** Counters of one definition and version. `at`: the begin of the point that they belong to, in epoch ms. */
export type CountedRow = {
  readonly at: number;
  readonly definition: string;
  readonly version: number;
  readonly groups: CounterGroups;
};

/** An absent filter matches everything. */
export type FigureFilters = { readonly [name in (typeof FILTERS)[number]]?: FigureKey[name] | undefined };

type Query = {
  readonly groupBy: readonly FigureDimension[];
  readonly filters: FigureFilters;
  /** The most groups. The others are added up. */
  readonly groupsMax: number;
};

export type ExecutionFigures = {
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
  readonly duration: Durations;
};

export type FigureGroup = {
  readonly key: FigureKey;
  readonly figures: Figures;
  /** null if the groups or the filters name actions, because an execution belongs to no action. */
  readonly executions: ExecutionFigures | null;
  /** The points of the series, the oldest first. */
  readonly points: readonly { readonly at: number; readonly figures: Figures }[];
};

export type GroupedFigures = {
  /** The largest groups, by ends of runs and started executions. */
  readonly groups: readonly FigureGroup[];
  readonly other: { readonly groups: number; readonly figures: Figures } | null;
};

type Collected = { key: FigureKey; runs: CounterSums; executions: CounterSums; points: Map<number, CounterSums> };

export function groupFigures(rows: readonly CountedRow[], query: Query): GroupedFigures {
  const all = new Map<string, Collected>();
  for (const row of rows) {
    for (const [name, counters] of Object.entries(row.groups)) collectGroup(all, row, query, { name, counters });
  }
  const ranked = [...all.values()].toSorted((one, other) => volumeOf(other) - volumeOf(one));
  const left = ranked.slice(query.groupsMax);
  const rest = left.reduce<CounterSums>((sum, { runs }) => addInto(sum, runs), {});
  return {
    groups: ranked.slice(0, query.groupsMax).map((each) => presentGroup(each, hasExecutions(query))),
    other: left.length === 0 ? null : { groups: left.length, figures: deriveFigures(rest) },
  };
}

/** Whether executions can be told apart by these groups and filters. */
function hasExecutions({ groupBy, filters }: Query): boolean {
  const { type, action, connection } = filters;
  const isFiltered = type !== undefined || action !== undefined || connection !== undefined;
  return !isFiltered && groupBy.every((each) => each === "definition" || each === "version");
}

function collectGroup(
  all: Map<string, Collected>,
  { at, definition, version }: CountedRow,
  query: Query,
  { name, counters }: { readonly name: string; readonly counters: Counters },
): void {
  const isExecutions = name === EXECUTIONS_GROUP;
  if (isExecutions && !hasExecutions(query)) return;
  const { connection, ...place } = parseGroup(name);
  const values = { definition, version, ...place, connection: connection === "" ? null : connection };
  if (!matches(values, query.filters)) return;
  for (const [outcome, part] of query.groupBy.includes("outcome") ? byOutcome(counters) : [[null, counters] as const]) {
    const held = collectedOf(all, query, outcome === null ? values : { ...values, outcome });
    if (isExecutions) addInto(held.executions, part);
    else {
      addInto(held.runs, part);
      held.points.set(at, addInto(held.points.get(at) ?? {}, part));
    }
  }
}

/** Returns what is collected for the values of the requested dimensions. */
function collectedOf(all: Map<string, Collected>, { groupBy }: Query, values: FigureKey): Collected {
  const dimensions: readonly string[] = groupBy;
  const key: FigureKey = Object.fromEntries(Object.entries(values).filter(([name]) => dimensions.includes(name)));
  const id = JSON.stringify(key);
  const held = all.get(id) ?? { key, runs: {}, executions: {}, points: new Map<number, CounterSums>() };
  all.set(id, held);
  return held;
}

function matches(values: FigureFilters, filters: FigureFilters): boolean {
  return FILTERS.every((name) => filters[name] === undefined || filters[name] === values[name]);
}

const FILTERS = ["definition", "version", "type", "action", "connection"] as const;

function byOutcome(counters: Counters): readonly (readonly [string, Counters])[] {
  return runOutcomes.flatMap((outcome) => {
    const n = counters[outcome];
    return n === undefined ? [] : [[outcome, { [outcome]: n }] as const];
  });
}

function volumeOf({ runs, executions }: Collected): number {
  const ends = runOutcomes.reduce((sum, outcome) => sum + (runs[outcome] ?? 0), 0);
  return ends + (executions["started"] ?? 0);
}

function presentGroup({ key, runs, executions, points }: Collected, isShown: boolean): FigureGroup {
  return {
    key,
    figures: deriveFigures(runs),
    executions: isShown ? executionFigures(executions) : null,
    points: [...points]
      .toSorted(([one], [other]) => one - other)
      .map(([at, counters]) => ({ at, figures: deriveFigures(counters) })),
  };
}

function executionFigures(counters: Counters): ExecutionFigures {
  const [completed = 0, failed = 0, canceled = 0] = executionOutcomes.map((outcome) => counters[outcome]);
  return { started: counters["started"] ?? 0, completed, failed, canceled, duration: durationsIn(counters, "lasted") };
}
