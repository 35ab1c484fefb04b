// Derives figures from counters: rates, percentiles, the error mix and the cost.
import { histogramIn, type Counters, type HistogramName } from "#schema/metrics/counter-names.ts";
import { quantile, type Histogram } from "#schema/metrics/histogram.ts";
import { COST_UNITS } from "#schema/metrics/run-counters.ts";
import { errorRate, successRate } from "#schema/metrics/success-rate.ts";

/** In ms; null without values. The percentiles are within 2.2 % of the exact values. */
export type Durations = {
  readonly count: number;
  readonly average: number | null;
  readonly min: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
};

/** One type and code of errors. attempts: the attempts that failed so. failures: the runs that failed permanently so. */
export type ErrorCount = {
  readonly type: string;
  readonly code: string | null;
  readonly attempts: number;
  readonly failures: number;
};

export type Figures = {
  /** The ends of runs. A run that ended again after a redrive is counted again. */
  readonly outcomes: {
    readonly ok: number;
    readonly failed: number;
    readonly refused: number;
    readonly canceled: number;
    readonly skipped: number;
    readonly expired: number;
  };
  /** The ends with a result: ok, failed and refused. */
  readonly total: number;
  readonly successRate: number | null;
  readonly errorRate: number | null;
  readonly attempts: number;
  readonly timeouts: number;
  readonly timeoutRate: number | null;
  /** The runs with more than one attempt; the rates count the runs with an attempt. */
  readonly retried: number;
  readonly retryRate: number | null;
  readonly averageRetries: number | null;
  readonly latency: Durations;
  readonly startDelay: Durations;
  readonly cost: number;
  readonly costPerRun: number | null;
  /** New dead letters, and those that were retried. */
  readonly deadLetters: number;
  readonly redriven: number;
  /** The error mix, the most frequent first. `*` represents rare types and codes. */
  readonly errors: readonly ErrorCount[];
};

export function deriveFigures(counters: Counters): Figures {
  const count = (name: string): number => counters[name] ?? 0;
  const [ok, failed, refused] = [count("ok"), count("failed"), count("refused")];
  const [attempts, timeouts, tried] = [count("attempts"), count("timeouts"), count("tried")];
  const [total, cost] = [ok + failed + refused, count("cost") / COST_UNITS];
  return {
    outcomes: {
      ...{ ok, failed, refused },
      canceled: count("canceled"),
      skipped: count("skipped"),
      expired: count("expired"),
    },
    total,
    successRate: successRate({ ok, failed }),
    errorRate: errorRate({ ok, failed }),
    attempts,
    timeouts,
    timeoutRate: share(timeouts, attempts),
    retried: count("retried"),
    retryRate: share(count("retried"), tried),
    averageRetries: share(count("tries") - tried, tried),
    latency: durationsIn(counters, "took"),
    startDelay: durationsIn(counters, "delay"),
    cost,
    costPerRun: share(cost, total),
    deadLetters: failed + refused,
    redriven: count("redriven"),
    errors: errorsIn(counters),
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

export function durationsIn(counters: Counters, name: HistogramName): Durations {
  return durationsOf(histogramIn(counters, name));
}

export function durationsOf(histogram: Histogram): Durations {
  const { count, sum, min, max } = histogram;
  return {
    count,
    average: share(sum, count),
    min,
    p50: quantile(histogram, 0.5),
    p95: quantile(histogram, 0.95),
    p99: quantile(histogram, 0.99),
    max,
  };
}

function errorsIn(counters: Counters): readonly ErrorCount[] {
  const byError = new Map<string, ErrorCount>();
  for (const [name, n] of Object.entries(counters)) {
    const kind = name.slice(0, name.indexOf("/"));
    if (kind !== "error" && kind !== "failure") continue;
    const key = name.slice(kind.length + 1);
    const type = key.slice(0, key.indexOf("/"));
    const code = key.slice(type.length + 1);
    const held = byError.get(key) ?? { type, code: code === "" ? null : code, attempts: 0, failures: 0 };
    byError.set(key, kind === "error" ? { ...held, attempts: n } : { ...held, failures: n });
  }
  return [...byError.values()].toSorted((one, other) => weightOf(other) - weightOf(one));
}

function weightOf({ attempts, failures }: ErrorCount): number {
  return attempts + failures;
}
