// Tests the figures of action types, computed from summed counters.
import { expect, it } from "vitest";
import { typeFigures } from "#policy/metrics/type-figures.ts";
import { bucketEndsAt, bucketOf } from "#schema/metrics/duration-bucket.ts";

const counters = (of: { readonly [name: string]: number }) => Object.entries(of).map(([name, n]) => ({ name, n }));

it("each type has its rates, the type with the most runs first", () => {
  const figures = typeFigures(
    counters({
      "email/runs": 1,
      "email/ok": 1,
      "email/attempts": 1,
      "webhook/runs": 4,
      "webhook/ok": 2,
      "webhook/refused": 1,
      "webhook/retried": 2,
      "webhook/attempts": 10,
      "webhook/timeouts": 3,
    }),
  );
  expect(figures).toMatchObject([
    {
      type: "webhook",
      runs: 4,
      successful: 2,
      successRate: 0.6666,
      retried: 2,
      retryRate: 0.5,
      averageRetries: 1.5,
      attempts: 10,
      timeouts: 3,
      timeoutRate: 0.3,
    },
    { type: "email", runs: 1, successRate: 1, retryRate: 0, averageRetries: 0, timeoutRate: 0 },
  ]);
});

it("percentiles are the upper end of the bucket that reaches the share", () => {
  const took = Object.fromEntries([
    ...[10, 20, 30, 40].map((ms) => [`webhook/took/${bucketOf(ms)}`, 24]),
    ["webhook/took/160", 4],
  ]);
  const [figures] = typeFigures(counters({ "webhook/runs": 100, "webhook/ms": 6_496, ...took }));
  const { count, sumMs, p50Ms, p95Ms, p99Ms } = figures?.durations ?? {};
  expect([count, sumMs, p99Ms]).toEqual([100, 6_496, 1_024]);
  expect(Math.abs(Number(p50Ms) - 30) / 30).toBeLessThan(0.05);
  expect(Math.abs(Number(p95Ms) - 40) / 40).toBeLessThan(0.05);
});

it("without durations the percentiles are null, and without runs the rates are zero", () => {
  expect(typeFigures(counters({ "task/attempts": 0 }))).toMatchObject([
    {
      runs: 0,
      successRate: 1,
      timeoutRate: 0,
      durations: { count: 0, p50Ms: null, p95Ms: null, p99Ms: null, buckets: [] },
    },
  ]);
});

it.each([0, 1, 2, 3, 100, 1_000, 4_096, 300_000])(
  "%i ms belong to a bucket that ends there or up to 4.5 %% later",
  (ms) => {
    const end = bucketEndsAt(bucketOf(ms));
    expect(end).toBeGreaterThanOrEqual(ms);
    expect(end).toBeLessThanOrEqual(Math.max(1, ms * 1.045));
  },
);
