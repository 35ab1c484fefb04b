// Tests the histogram against exact values, also after adding the hours of a week.
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  addHistograms,
  bucketEnd,
  bucketOf,
  countsUpTo,
  emptyHistogram,
  histogramOf,
  quantile,
  QUANTILE_ERROR_MAX,
} from "#schema/metrics/histogram.ts";

/** The exact value by nearest rank. */
function exact(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(values.length * q)) - 1] ?? NaN;
}

function isWithinBound(estimate: number | null, value: number): boolean {
  return estimate !== null && Math.abs(estimate - value) <= value * QUANTILE_ERROR_MAX + 1e-9;
}

test("the bound of the error is about 2.2 %", () => {
  expect(QUANTILE_ERROR_MAX).toBeGreaterThan(0.021);
  expect(QUANTILE_ERROR_MAX).toBeLessThan(0.022);
});

it.each([
  [0.5, -16],
  [1, -1],
  [1.01, 0],
  [2, 15],
  [2.01, 16],
  [1_024, 159],
  [1_025, 160],
  [2 ** 32, 511],
  [1e-9, -16],
  [2 ** 40, 511],
])("%d belongs to the bucket %i", (value, bucket) => expect(bucketOf(value)).toBe(bucket));

test("a value lies above the end of the bucket before its own, and not above the end of its own", () => {
  const value = fc.double({ min: 0.51, max: 2 ** 32, noNaN: true });
  fc.assert(
    fc.property(value, (v) => {
      const bucket = bucketOf(v);
      expect(v).toBeLessThanOrEqual(bucketEnd(bucket) * (1 + 1e-12));
      expect(v).toBeGreaterThan(bucketEnd(bucket - 1) * (1 - 1e-12));
    }),
  );
});

describe("a quantile", () => {
  const durations = fc.array(fc.oneof(fc.integer({ min: 0, max: 400_000 }), fc.constant(0)), { minLength: 1 });
  const shares = fc.constantFrom(0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1);

  test("is within the bound of the exact value", () => {
    fc.assert(
      fc.property(durations, shares, (values, q) => {
        expect(isWithinBound(quantile(histogramOf(values), q), exact(values, q))).toBe(true);
      }),
    );
  });

  test("is within the bound after adding the 168 hours of a week, in any order", () => {
    let seed = 7;
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const hours = Array.from({ length: 168 }, () =>
      Array.from({ length: 120 }, () => Math.round(Math.exp(4 + 2 * (next() + next() + next() - 1.5)))),
    );
    const all = hours.flat();
    const forwards = hours.map(histogramOf).reduce(addHistograms, emptyHistogram);
    const backwards = hours.toReversed().map(histogramOf).reduce(addHistograms, emptyHistogram);
    expect(new Map(backwards.buckets)).toEqual(new Map(forwards.buckets));
    expect(forwards).toMatchObject({
      count: all.length,
      sum: all.reduce((sum, value) => sum + value, 0),
      min: Math.min(...all),
      max: Math.max(...all),
    });
    for (const q of [0.5, 0.95, 0.99]) {
      expect(isWithinBound(quantile(forwards, q), exact(all, q))).toBe(true);
      expect(quantile(forwards, q)).toBe(quantile(backwards, q));
    }
  });

  test("is null without values, 0 among zeros, and never beyond the smallest or largest value", () => {
    expect(quantile(emptyHistogram, 0.5)).toBeNull();
    expect(quantile(histogramOf([0, 0, 0, 9]), 0.5)).toBe(0);
    expect(quantile(histogramOf([-3]), 0.5)).toBe(0);
    expect(quantile(histogramOf([100]), 0.99)).toBe(100);
    expect(quantile({ ...histogramOf([100]), min: null, max: null }, 0.5)).toBeCloseTo(100, -1);
    expect(quantile({ ...histogramOf([100]), count: 5 }, 1)).toBe(100);
  });
});

describe("adding", () => {
  const values = fc.array(fc.integer({ min: -5, max: 10_000_000 }));

  test("equals the histogram of all values", () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const added = addHistograms(histogramOf(one), histogramOf(other));
        const whole = histogramOf([...one, ...other]);
        expect(added).toEqual(whole);
        expect(addHistograms(histogramOf(other), histogramOf(one))).toEqual(whole);
      }),
    );
  });

  test("has a bounded number of buckets", () => {
    const wide = histogramOf(Array.from({ length: 5_000 }, (_, n) => 1.01 ** n));
    expect(wide.buckets.size).toBeLessThanOrEqual(528);
  });
});

test("the counts up to powers of two are exact", () => {
  const bounds = Array.from({ length: 24 }, (_, n) => 2 ** n);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 23 })), (values) => {
      const counted = bounds.map((bound) => values.filter((value) => value <= bound).length);
      expect(countsUpTo(histogramOf(values), bounds)).toEqual(counted);
    }),
  );
});
