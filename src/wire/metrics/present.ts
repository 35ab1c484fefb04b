// Totals for monitoring: as JSON, or in Prometheus' text format.
import { bucketEnd, countsUpTo, sortBuckets, type Histogram } from "#schema/metrics/histogram.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiConfigView, ApiMetricsSnapshot, ApiTypeMetrics } from "./shape.ts";

type Totals = {
  readonly at: number;
  readonly tenants: readonly {
    readonly tenant: string;
    readonly dispatched: number;
    readonly active: number;
    readonly errors: number;
  }[];
};

type TypeFigures = {
  readonly type: string;
  readonly figures: {
    readonly outcomes: { readonly ok: number };
    readonly total: number;
    readonly successRate: number | null;
    readonly retried: number;
    readonly retryRate: number | null;
    readonly averageRetries: number | null;
    readonly attempts: number;
    readonly timeouts: number;
    readonly timeoutRate: number | null;
    readonly latency: {
      readonly count: number;
      readonly average: number | null;
      readonly p50: number | null;
      readonly p95: number | null;
      readonly p99: number | null;
    };
  };
  readonly durations: Histogram;
};
type TypesOfTenant = { readonly tenant: string; readonly types: readonly TypeFigures[] };

export function presentSnapshot({ at, tenants }: Totals): ApiMetricsSnapshot {
  const each = tenants.map(({ tenant, dispatched, active, errors }) => ({
    tenant,
    recurring_dispatched: dispatched,
    recurring_active: active,
    recurring_errors: errors,
  }));
  return { at: toInstant(at), tenants: each };
}

export function presentConfig(of: { readonly isOn: boolean; readonly intervalMs: number }): ApiConfigView {
  const background = {
    enable_recurring_actions: of.isOn,
    recurring_check_interval_seconds: 0 as const,
    recurring_interval_seconds_min: of.intervalMs / 1_000,
  };
  return { background };
}

const METRICS = [
  ["recurring_dispatched", "counter", "Occurrences of recurring actions that were dispatched."],
  ["recurring_active", "gauge", "Active recurring actions."],
  ["recurring_errors", "counter", "Occurrences of recurring actions that failed to dispatch."],
] as const;

/**
 * Presents totals in Prometheus' text format. Names of tenants and action types contain only lower-case letters,
 * digits, dashes and underscores, so no label needs escaping.
 */
export function presentPrometheus(totals: Totals, types: readonly TypesOfTenant[]): string {
  return `${[...recurringBlocks(totals), ...typeBlocks(types)].join("\n")}\n`;
}

function recurringBlocks(totals: Totals): readonly string[] {
  const { tenants } = presentSnapshot(totals);
  return METRICS.map(([name, type, help]) => {
    const lines = tenants.map((each) => `${name}{tenant="${each.tenant}"} ${each[name]}`);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
  });
}

/**
 * Presents the counters since midnight UTC. The counters return to 0 every midnight, which Prometheus recognizes as a
 * reset.
 */
function typeBlocks(tenants: readonly TypesOfTenant[]): readonly string[] {
  const all = tenants.flatMap(({ tenant, types }) =>
    types.map((each) => ({ ...each, labels: `tenant="${tenant}",type="${each.type}"` })),
  );
  if (all.length === 0) return [];
  const counters = TYPE_METRICS.map(([name, field, help]) => {
    const lines = all.map(({ figures, labels }) => `${name}{${labels}} ${figures[field]}`);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines].join("\n");
  });
  const name = "action_duration_seconds";
  const help = "Duration of last attempts since midnight UTC.";
  const lines = all.flatMap(({ durations, labels }) => histogram(name, durations, labels));
  return [...counters, [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join("\n")];
}

const TYPE_METRICS = [
  ["action_runs", "total", "Actions that ended, successfully or permanently failed, since midnight UTC."],
  ["action_runs_retried", "retried", "The number of actions that took more than one attempt."],
  ["action_attempts", "attempts", "The number of attempts of these actions."],
  ["action_attempt_timeouts", "timeouts", "The number of attempts that timed out."],
] as const;

/**
 * The upper bounds of the histogram in ms, from a millisecond to seventeen minutes. Every power of two is also the end
 * of a duration bucket, so no bucket crosses a bound.
 */
const BOUNDS_MS = Array.from({ length: 21 }, (_, n) => 2 ** n);

function histogram(name: string, durations: Histogram, labels: string): string[] {
  const counts = countsUpTo(durations, BOUNDS_MS);
  return [
    ...BOUNDS_MS.map((bound, n) => `${name}_bucket{${labels},le="${bound / 1_000}"} ${counts[n] ?? 0}`),
    `${name}_bucket{${labels},le="+Inf"} ${durations.count}`,
    `${name}_sum{${labels}} ${durations.sum / 1_000}`,
    `${name}_count{${labels}} ${durations.count}`,
  ];
}

export function presentTypes(types: readonly TypeFigures[]): { readonly data: ApiTypeMetrics[] } {
  return { data: types.map(presentType) };
}

function presentType({ type, figures, durations }: TypeFigures): ApiTypeMetrics {
  const { count, average, p50, p95, p99 } = figures.latency;
  const buckets = sortBuckets(durations.buckets).map(([bucket, n]) => ({
    upToMs: rounded(bucketEnd(bucket)),
    count: n,
  }));
  return {
    type,
    runs: figures.total,
    successful: figures.outcomes.ok,
    successRate: figures.successRate ?? 1,
    retried: figures.retried,
    retryRate: shown(figures.retryRate ?? 0),
    averageRetries: shown(figures.averageRetries ?? 0),
    attempts: figures.attempts,
    timeouts: figures.timeouts,
    timeoutRate: shown(figures.timeoutRate ?? 0),
    durationMs: {
      count,
      average: rounded(average),
      p50: rounded(p50),
      p95: rounded(p95),
      p99: rounded(p99),
      histogram: durations.zero === 0 ? buckets : [{ upToMs: 0, count: durations.zero }, ...buckets],
    },
  };
}

function rounded<Ms extends number | null>(ms: Ms): Ms {
  return (ms === null ? null : Math.round(ms * 10) / 10) as Ms; // If `ms` is null the result is null, and if `ms` is a number the result is a number. The compiler cannot derive that.
}

function shown(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
