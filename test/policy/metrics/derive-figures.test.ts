// Tests the figures that are derived from counters: rates that add up, percentiles, the error mix and the cost.
import { describe, expect, it, test } from "vitest";
import { deriveFigures } from "#policy/metrics/derive-figures.ts";
import { earlierCounters } from "#policy/metrics/earlier-counters.ts";
import { allRuns, typeFigures } from "#policy/metrics/type-figures.ts";
import { histogramCounters } from "#schema/metrics/counter-names.ts";
import { histogramOf } from "#schema/metrics/histogram.ts";

describe("figures", () => {
  test("without counters are zero, and rates are unknown", () => {
    expect(deriveFigures({})).toEqual({
      outcomes: { ok: 0, failed: 0, refused: 0, canceled: 0, skipped: 0, expired: 0 },
      total: 0,
      successRate: null,
      errorRate: null,
      attempts: 0,
      timeouts: 0,
      timeoutRate: null,
      retried: 0,
      retryRate: null,
      averageRetries: null,
      latency: { count: 0, average: null, min: null, p50: null, p95: null, p99: null, max: null },
      startDelay: { count: 0, average: null, min: null, p50: null, p95: null, p99: null, max: null },
      cost: 0,
      costPerRun: null,
      deadLetters: 0,
      redriven: 0,
      errors: [],
    });
  });

  test("have rates of the runs that they concern", () => {
    const counters = { ok: 6, failed: 2, refused: 2, attempts: 12, timeouts: 3, tried: 8, tries: 12, retried: 2 };
    expect(
      deriveFigures({ ...counters, canceled: 1, skipped: 1, expired: 1, cost: 2_500_000, redriven: 1 }),
    ).toMatchObject({
      total: 10,
      successRate: 0.75,
      errorRate: 0.25,
      timeoutRate: 0.25,
      retryRate: 0.25,
      averageRetries: 0.5,
      cost: 2.5,
      costPerRun: 0.25,
      deadLetters: 4,
      redriven: 1,
    });
  });

  it.each([
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [99_999, 1, 0.9999, 0.0001],
    [2, 1, 0.6666, 0.3334],
  ])(
    "of %i successes and %i failures have a success rate of %d and an error rate of %d",
    (ok, failed, rate, errors) => {
      expect(deriveFigures({ ok, failed, refused: 5 })).toMatchObject({ successRate: rate, errorRate: errors });
    },
  );

  test("have percentiles of the attempts and of the start delay", () => {
    const counters = {
      ...histogramCounters("took", histogramOf([...Array<number>(95).fill(64), ...Array<number>(5).fill(1_024)])),
      ...histogramCounters("delay", histogramOf([0, 0, 0, 400])),
    };
    const { latency, startDelay } = deriveFigures(counters);
    expect(latency).toMatchObject({ count: 100, average: 112, min: 64, max: 1_024 });
    expect(Math.abs(Number(latency.p95) - 64) / 64).toBeLessThan(0.022);
    expect(Math.abs(Number(latency.p99) - 1_024) / 1_024).toBeLessThan(0.022);
    expect(startDelay).toMatchObject({ count: 4, average: 100, p50: 0, max: 400 });
  });

  test("list errors by type and code, the most frequent first", () => {
    const counters = { "error/rate_limit/429": 3, "error/timeout/": 9, "failure/timeout/": 2, "failure/*/*": 1, ok: 1 };
    expect(deriveFigures(counters).errors).toEqual([
      { type: "timeout", code: null, attempts: 9, failures: 2 },
      { type: "rate_limit", code: "429", attempts: 3, failures: 0 },
      { type: "*", code: "*", attempts: 0, failures: 1 },
    ]);
  });
});

test("each type has its figures, the type with the most runs first", () => {
  const rows = [
    { "webhook/a/": { ok: 1 }, "email/b/mail": { ok: 2 }, "": { started: 4, failed: 3 } },
    { "webhook/b/": { failed: 3, ...histogramCounters("took", histogramOf([8])) } },
  ];
  const types = typeFigures(rows);
  expect(types.map(({ type, figures }) => [type, figures.total, figures.successRate])).toEqual([
    ["webhook", 4, 0.25],
    ["email", 2, 1],
  ]);
  expect(types[0]?.durations).toMatchObject({ count: 1, sum: 8 });
  expect(allRuns(rows)).toMatchObject({ ok: 3, failed: 3 });
  expect(allRuns(rows)).not.toHaveProperty("started");
});

test("counters of an earlier version become groups by type", () => {
  const counters = earlierCounters({
    "webhook/runs": 9,
    "webhook/ok": 5,
    "webhook/refused": 1,
    "webhook/retried": 2,
    "webhook/attempts": 12,
    "webhook/timeouts": 4,
    "webhook/ms": 700,
    "webhook/took/64": 3,
    "webhook/took/0": 1,
    "email/ok": 1,
    "email/new": 1,
    odd: 1,
  });
  expect(counters["webhook/*/*"]).toEqual({
    failed: 3,
    tried: 9,
    ok: 5,
    refused: 1,
    retried: 2,
    attempts: 12,
    tries: 12,
    timeouts: 4,
    "took/sum": 700,
    "took/63": 3,
    "took/-1": 1,
  });
  expect(counters["email/*/*"]).toEqual({ ok: 1, failed: -1 });
});
