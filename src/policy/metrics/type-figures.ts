// Computes the figures of each action type from its counters: the number of runs, retry rate, timeout rate and
// durations.
import { bucketEndsAt } from "#schema/metrics/duration-bucket.ts";
import { successRate } from "#schema/metrics/success-rate.ts";

/**
 * A counter of an action type, such as `webhook/runs`, `webhook/ok` or `webhook/took/96`. The number after `took` is
 * the bucket of a duration.
 */
type Counter = { readonly name: string; readonly n: number };

export type TypeFigures = {
  readonly type: string;
  readonly runs: number;
  readonly successful: number;
  readonly successRate: number;
  readonly retried: number;
  /** The share of runs with more than one attempt, from 0 to 1. */
  readonly retryRate: number;
  readonly averageRetries: number;
  readonly attempts: number;
  readonly timeouts: number;
  /** The share of attempts that timed out, from 0 to 1. */
  readonly timeoutRate: number;
  /** The durations of those attempts that ended a run. The percentiles are null if there are none. */
  readonly durations: {
    readonly count: number;
    readonly sumMs: number;
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
    readonly p99Ms: number | null;
    readonly buckets: readonly Bucket[];
  };
};

/** A bucket with at least one duration, and its upper end. Lists of buckets begin with the shortest. */
type Bucket = { readonly upToMs: number; readonly count: number };

/** Returns the figures of each type, the type with the most runs first. */
export function typeFigures(counters: readonly Counter[]): readonly TypeFigures[] {
  const types = new Map<string, Counter[]>();
  for (const counter of counters) {
    const type = counter.name.slice(0, counter.name.indexOf("/"));
    const ofType = types.get(type);
    if (ofType) ofType.push(counter);
    else types.set(type, [counter]);
  }
  return [...types].map(([type, ofType]) => figuresOf(type, ofType)).sort((one, other) => other.runs - one.runs);
}

function figuresOf(type: string, counters: readonly Counter[]): TypeFigures {
  const counts = new Map(counters.map(({ name, n }) => [name.slice(type.length + 1), n]));
  const count = (name: string): number => counts.get(name) ?? 0;
  const [runs, successful, refused, retried] = [count("runs"), count("ok"), count("refused"), count("retried")];
  const [attempts, timeouts] = [count("attempts"), count("timeouts")];
  const buckets = [...counts]
    .filter(([name]) => name.startsWith(TOOK))
    .map(([name, n]) => ({ bucket: Number(name.slice(TOOK.length)), count: n }))
    .sort((one, other) => one.bucket - other.bucket)
    .map(({ bucket, count: n }) => ({ upToMs: bucketEndsAt(bucket), count: n }));
  return {
    type,
    runs,
    successful,
    successRate: successRate({ total: runs, refused, successful }),
    retried,
    retryRate: share(retried, runs),
    averageRetries: share(Math.max(0, attempts - runs), runs),
    attempts,
    timeouts,
    timeoutRate: share(timeouts, attempts),
    durations: {
      count: buckets.reduce((sum, { count: n }) => sum + n, 0),
      sumMs: count("ms"),
      p50Ms: percentile(buckets, 0.5),
      p95Ms: percentile(buckets, 0.95),
      p99Ms: percentile(buckets, 0.99),
      buckets,
    },
  };
}

const TOOK = "took/";

/** Returns the upper end of the bucket that contains the percentile; null without durations. */
function percentile(buckets: readonly Bucket[], part: number): number | null {
  let left = Math.ceil(buckets.reduce((sum, { count }) => sum + count, 0) * part);
  for (const { upToMs, count: n } of buckets) {
    left -= n;
    if (left <= 0) return upToMs;
  }
  return null;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
