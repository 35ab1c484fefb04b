// Derives figures from counters: rates, percentiles, the error mix and the cost.
import { histogramIn, type Counters, type HistogramName } from "#schema/metrics/counter-names.ts";
import { quantile, type Histogram } from "#schema/metrics/histogram.ts";
import { COST_UNITS } from "#schema/metrics/run-counters.ts";
import type { Durations, ErrorCount, Figures } from "#schema/metrics/figures.ts";
import { errorRate, successRate } from "#schema/metrics/success-rate.ts";

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
