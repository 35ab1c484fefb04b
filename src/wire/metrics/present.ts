// Totals for monitoring: as JSON, or in Prometheus' text format.
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

type TypeFigures = Omit<ApiTypeMetrics, "durationMs"> & {
  readonly durations: {
    readonly count: number;
    readonly sumMs: number;
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
    readonly p99Ms: number | null;
    readonly buckets: readonly { readonly upToMs: number; readonly count: number }[];
  };
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
    const lines = all.map((each) => `${name}{${each.labels}} ${each[field]}`);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines].join("\n");
  });
  const name = "action_duration_seconds";
  const help = "Duration of last attempts since midnight UTC.";
  const lines = all.flatMap(({ durations, labels }) => histogram(name, durations, labels));
  return [...counters, [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join("\n")];
}

const TYPE_METRICS = [
  ["action_runs", "runs", "Actions that ended, successfully or permanently failed, since midnight UTC."],
  ["action_runs_retried", "retried", "The number of actions that took more than one attempt."],
  ["action_attempts", "attempts", "The number of attempts of these actions."],
  ["action_attempt_timeouts", "timeouts", "The number of attempts that timed out."],
] as const;

/**
 * The upper bounds of the histogram in ms, from a millisecond to seventeen minutes. Every power of two is also the end
 * of a duration bucket, so no bucket crosses a bound.
 */
const BOUNDS_MS = Array.from({ length: 21 }, (_, n) => 2 ** n);

function histogram(name: string, { count, sumMs, buckets }: TypeFigures["durations"], labels: string): string[] {
  const below = (bound: number) => buckets.reduce((sum, { upToMs, count: n }) => (upToMs <= bound ? sum + n : sum), 0);
  return [
    ...BOUNDS_MS.map((bound) => `${name}_bucket{${labels},le="${bound / 1_000}"} ${below(bound)}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sumMs / 1_000}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

export function presentTypes(types: readonly TypeFigures[]): { readonly data: ApiTypeMetrics[] } {
  return { data: types.map(presentType) };
}

function presentType({ durations, ...figures }: TypeFigures): ApiTypeMetrics {
  const { count, sumMs, p50Ms, p95Ms, p99Ms, buckets } = durations;
  const average = count === 0 ? null : rounded(sumMs / count);
  return {
    ...figures,
    retryRate: shown(figures.retryRate),
    averageRetries: shown(figures.averageRetries),
    timeoutRate: shown(figures.timeoutRate),
    durationMs: {
      count,
      average,
      p50: rounded(p50Ms),
      p95: rounded(p95Ms),
      p99: rounded(p99Ms),
      histogram: buckets.map((bucket) => ({ upToMs: rounded(bucket.upToMs), count: bucket.count })),
    },
  };
}

function rounded<Ms extends number | null>(ms: Ms): Ms {
  return (ms === null ? null : Math.round(ms * 10) / 10) as Ms; // If `ms` is null the result is null, and if `ms` is a number the result is a number. The compiler cannot derive that.
}

function shown(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
