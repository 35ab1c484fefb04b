// Presents grouped figures.
import type { Figures } from "#schema/metrics/figures.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiFigures, ApiMetricsAnswer } from "./query-shape.ts";

type Durations = ApiFigures["startDelay"];

type Answer = {
  readonly from: number;
  readonly to: number;
  readonly asOf: number;
  readonly newestAt: number | null;
  readonly groups: readonly {
    readonly key: ApiMetricsAnswer["data"][number]["group"];
    readonly figures: Figures;
    readonly executions: ApiMetricsAnswer["data"][number]["executions"];
    readonly previous: Figures | null;
    readonly points: readonly { readonly at: number; readonly figures: Figures }[];
  }[];
  readonly other: { readonly groups: number; readonly figures: Figures } | null;
};

export function presentMetricsAnswer(
  { from, to, asOf, newestAt, groups, other }: Answer,
  asked: Pick<ApiMetricsAnswer, "step" | "groupBy">,
): ApiMetricsAnswer {
  return {
    from: toInstant(from),
    to: toInstant(to),
    ...asked,
    asOf: toInstant(asOf),
    newestAt: toInstant(newestAt),
    data: groups.map(({ key, figures, executions, previous, points }) => ({
      group: key,
      figures: presentFigures(figures),
      executions: executions === null ? null : { ...executions, duration: rounded(executions.duration) },
      previous: previous === null ? null : presentFigures(previous),
      points: points.map((point) => ({ at: toInstant(point.at), figures: presentFigures(point.figures) })),
    })),
    other: other === null ? null : { groups: other.groups, figures: presentFigures(other.figures) },
  };
}

function presentFigures({ total, latency, startDelay, cost, costPerRun, errors, ...figures }: Figures): ApiFigures {
  const { average, p50, p95, p99, max } = rounded(latency);
  const errorTypes: { [type: string]: number } = {};
  for (const { type, attempts } of errors) {
    if (attempts > 0) errorTypes[type] = (errorTypes[type] ?? 0) + attempts;
  }
  return {
    ...figures,
    totalExecutions: total,
    timeoutRate: share(figures.timeoutRate),
    retryRate: share(figures.retryRate),
    averageRetries: share(figures.averageRetries),
    averageLatency: average,
    p50Latency: p50,
    p95Latency: p95,
    p99Latency: p99,
    maxLatency: max,
    startDelay: rounded(startDelay),
    totalCost: cost,
    costPerExecution: costPerRun,
    errorTypes,
    errors: [...errors],
  };
}

function rounded({ count, ...durations }: Durations): Durations {
  const tenths = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 10) / 10);
  const { average, min, p50, p95, p99, max } = durations;
  const percentiles = { p50: tenths(p50), p95: tenths(p95), p99: tenths(p99) };
  return { count, average: tenths(average), min, ...percentiles, max };
}

function share(part: number | null): number | null {
  return part === null ? null : Math.round(part * 10_000) / 10_000;
}
