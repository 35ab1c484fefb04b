// What actions of one type have come to, from counters that were added up: how many, how often again, how often too slow,
// and how long they took.
import { bucketEndsAt } from "#schema/metrics/duration-bucket.ts";
import { successRate } from "#schema/metrics/success-rate.ts";

/** Of a type: `webhook/runs`, `webhook/ok`, `webhook/took/96`; the number at the end is a bucket of durations. */
type Counter = { readonly name: string; readonly n: number };

export type TypeFigures = {
  readonly type: string;
  readonly runs: number;
  readonly successful: number;
  readonly successRate: number;
  readonly retried: number;
  /** Of all runs, those that took more than one attempt. */
  readonly retryRate: number;
  readonly averageRetries: number;
  readonly attempts: number;
  readonly timeouts: number;
  /** Of all attempts, those that had no answer in time. */
  readonly timeoutRate: number;
  /** Of the last attempts; so many per cent were done by then. null where there were none. */
  readonly durations: {
    readonly count: number;
    readonly sumMs: number;
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
    readonly p99Ms: number | null;
    readonly buckets: readonly Bucket[];
  };
};

/** The shortest first, each with where it ends; none is empty. */
type Bucket = { readonly upToMs: number; readonly count: number };

export function typeFigures(counters: readonly Counter[]): readonly TypeFigures[] {
  const types = new Map<string, Counter[]>();
  for (const counter of counters) {
    const type = counter.name.slice(0, counter.name.indexOf("/"));
    const own = types.get(type);
    if (own) own.push(counter);
    else types.set(type, [counter]);
  }
  return [...types].map(([type, own]) => figuresOf(type, own)).sort((one, other) => other.runs - one.runs);
}

function figuresOf(type: string, counters: readonly Counter[]): TypeFigures {
  const found = new Map(counters.map(({ name, n }) => [name.slice(type.length + 1), n]));
  const count = (name: string): number => found.get(name) ?? 0;
  const [runs, successful, refused, retried] = [count("runs"), count("ok"), count("refused"), count("retried")];
  const [attempts, timeouts] = [count("attempts"), count("timeouts")];
  const buckets = [...found]
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

function percentile(buckets: readonly Bucket[], part: number): number | null {
  let left = Math.ceil(buckets.reduce((sum, { count }) => sum + count, 0) * part);
  for (const { upToMs, count: n } of buckets) {
    left -= n;
    if (left <= 0) return upToMs;
  }
  return null;
}

function share(some: number, all: number): number {
  return all === 0 ? 0 : some / all;
}
