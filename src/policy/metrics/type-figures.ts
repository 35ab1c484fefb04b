// Computes the figures of each action type from the counters of a tenant.
import {
  addInto,
  histogramIn,
  parseGroup,
  type CounterGroups,
  type Counters,
  type CounterSums,
} from "#schema/metrics/counter-names.ts";
import type { Histogram } from "#schema/metrics/histogram.ts";
import type { Figures } from "#schema/metrics/figures.ts";
import { deriveFigures } from "./derive-figures.ts";

export type TypeFigures = { readonly type: string; readonly figures: Figures; readonly durations: Histogram };

/** Returns the figures of each type, the type with the most runs first. Executions belong to no type. */
export function typeFigures(rows: readonly CounterGroups[]): readonly TypeFigures[] {
  const types = new Map<string, CounterSums>();
  for (const [group, counters] of rows.flatMap((row) => Object.entries(row))) {
    const { type } = parseGroup(group);
    if (type !== "") types.set(type, addInto(types.get(type) ?? {}, counters));
  }
  return [...types]
    .map(([type, counters]) => ({ type, figures: deriveFigures(counters), durations: histogramIn(counters, "took") }))
    .toSorted((one, other) => other.figures.total - one.figures.total);
}

/** Adds the counters of all runs. */
export function allRuns(rows: readonly CounterGroups[]): Counters {
  return rows
    .flatMap((row) => Object.entries(row))
    .filter(([group]) => group !== "")
    .reduce<CounterSums>((sum, [, counters]) => addInto(sum, counters), {});
}
