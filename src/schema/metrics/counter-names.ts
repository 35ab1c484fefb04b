// Names of counters: what a row of figures counts. A row has groups, one for each action, type and connection, and one
// for the executions. Counters are added, except for the smallest and the largest value of a histogram.
import type { Histogram } from "./histogram.ts";

/** How a run ended. refused: its config is invalid, so it is not a failure of the engine or of the provider. */
export const runOutcomes = ["ok", "failed", "refused", "canceled", "skipped", "expired"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** How an execution ended. */
export const executionOutcomes = ["completed", "failed", "canceled"] as const;

/** The group that counts executions. All other groups count runs. */
export const EXECUTIONS_GROUP = "";

/** Represents all definitions, actions or connections that have no row or group of their own. */
export const OTHER = "*";

/** The counters of one group by name. */
export type Counters = { readonly [name: string]: number };
/** The groups of one row by name. `groupName` makes the names. */
export type CounterGroups = { readonly [group: string]: Counters };

/**
 * The histograms of a group. took: the duration of attempts. delay: the time from the planned instant of a run to its
 * first attempt. lasted: the duration of executions.
 */
export type HistogramName = "took" | "delay" | "lasted";

type RunGroup = { readonly type: string; readonly action: string; readonly connection: string };

export function groupName({ type, action, connection }: RunGroup): string {
  return `${type}/${action}/${connection}`;
}

/** Splits a name that `groupName` has made. `connection` is empty for runs without one. */
export function parseGroup(name: string): RunGroup {
  const [type = "", action = OTHER, connection = OTHER] = name.split("/");
  return { type, action, connection };
}

/**
 * Returns the name of an error counter. `error`: attempts that failed. `failure`: runs that failed permanently. The code
 * may come from a provider, so it is cut and has a small alphabet.
 */
export function errorName(kind: "error" | "failure", type: string, code: string | null): string {
  return `${kind}/${plain(type)}/${plain(code ?? "")}`;
}

const ERROR_CODE_CHARS_MAX = 60;

function plain(text: string): string {
  return text.slice(0, ERROR_CODE_CHARS_MAX).replaceAll(/[^A-Za-z0-9_.:-]/g, "_");
}

/** Returns the counters of a histogram. */
export function histogramCounters(name: HistogramName, { count, sum, min, max, zero, buckets }: Histogram): Counters {
  if (count === 0 || min === null || max === null) return {};
  const counted = [...buckets].map(([bucket, n]) => [`${name}/${bucket}`, n] as const);
  const zeros = zero === 0 ? {} : { [`${name}/zero`]: zero };
  return { [`${name}/sum`]: sum, [`${name}/min`]: min, [`${name}/max`]: max, ...zeros, ...Object.fromEntries(counted) };
}

/** Returns the histogram that the counters contain. */
export function histogramIn(counters: Counters, name: HistogramName): Histogram {
  const prefix = `${name}/`;
  const buckets = new Map<number, number>();
  for (const [key, n] of Object.entries(counters)) {
    const bucket = key.startsWith(prefix) ? Number(key.slice(prefix.length)) : NaN;
    if (!Number.isNaN(bucket)) buckets.set(bucket, n);
  }
  const zero = counters[`${prefix}zero`] ?? 0;
  const count = [...buckets.values()].reduce((sum, n) => sum + n, zero);
  const { [`${prefix}sum`]: sum = 0, [`${prefix}min`]: min = null, [`${prefix}max`]: max = null } = counters;
  return { count, sum, min, max, zero, buckets };
}

export type CounterSums = { [name: string]: number };

/** Adds the counters of a group to `sums`, which it changes: a copy for each of thousands of groups would take seconds. */
export function addInto(sums: CounterSums, counters: Counters): CounterSums {
  for (const [name, n] of Object.entries(counters)) {
    const held = sums[name];
    sums[name] = held === undefined ? n : combine(name, held, n);
  }
  return sums;
}

/** Adds counters of the same group. */
export function addCounters(one: Counters, other: Counters): Counters {
  return addInto({ ...one }, other);
}

/** As the SQL in catalog/metrics/merge-counters.ts does. */
function combine(name: string, one: number, other: number): number {
  if (name.endsWith("/min")) return Math.min(one, other);
  if (name.endsWith("/max")) return Math.max(one, other);
  return one + other;
}
