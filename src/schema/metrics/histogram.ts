// Histogram: the base-2 exponential histogram of OpenTelemetry, scale 4. Bucket i contains the values in
// (2^(i/16), 2^((i+1)/16)], so a quantile is within 2.2 % of the exact value, and histograms can be added without loss.

/** The number of buckets from one power of two to the next. OpenTelemetry's scale 4. */
const BUCKETS_PER_DOUBLING = 16;
/** The first and the last bucket. Values of 0.5 to 2^32 have a bucket of their own; others count in these two. */
const FIRST_BUCKET = -BUCKETS_PER_DOUBLING;
const LAST_BUCKET = 32 * BUCKETS_PER_DOUBLING - 1;

/** The most by which a quantile differs from the exact value, as a share of the exact value. */
export const QUANTILE_ERROR_MAX = (bucketEnd(0) - 1) / (bucketEnd(0) + 1);

export type Histogram = {
  readonly count: number;
  readonly sum: number;
  /** The smallest and the largest value; null without values. */
  readonly min: number | null;
  readonly max: number | null;
  /** The number of values that are 0 or negative. They have no logarithm. */
  readonly zero: number;
  /** The number of values by bucket. Empty buckets are absent. */
  readonly buckets: ReadonlyMap<number, number>;
};

export const emptyHistogram: Histogram = { count: 0, sum: 0, min: null, max: null, zero: 0, buckets: new Map() };

/** Returns the upper end of a bucket. It belongs to the bucket; the lower end does not. */
export function bucketEnd(bucket: number): number {
  return 2 ** ((bucket + 1) / BUCKETS_PER_DOUBLING);
}

/** Returns the bucket of a positive value. */
export function bucketOf(value: number): number {
  const bucket = Math.ceil(Math.log2(value) * BUCKETS_PER_DOUBLING) - 1;
  return Math.min(LAST_BUCKET, Math.max(FIRST_BUCKET, bucket));
}

export function histogramOf(values: readonly number[]): Histogram {
  return values.reduce((all, value) => addHistograms(all, ofOne(value)), emptyHistogram);
}

function ofOne(value: number): Histogram {
  const known = Math.max(0, value);
  const isZero = known === 0;
  const buckets = new Map(isZero ? [] : [[bucketOf(known), 1]]);
  return { count: 1, sum: known, min: known, max: known, zero: isZero ? 1 : 0, buckets };
}

export function addHistograms(one: Histogram, other: Histogram): Histogram {
  const buckets = new Map(one.buckets);
  for (const [bucket, count] of other.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
  return {
    count: one.count + other.count,
    sum: one.sum + other.sum,
    min: one.min === null || other.min === null ? (one.min ?? other.min) : Math.min(one.min, other.min),
    max: one.max === null || other.max === null ? (one.max ?? other.max) : Math.max(one.max, other.max),
    zero: one.zero + other.zero,
    buckets,
  };
}

/**
 * Returns the value below which the share `q` of the values lies (nearest rank); null without values. It differs from
 * the exact value by at most `QUANTILE_ERROR_MAX`.
 */
export function quantile({ count, min, max, zero, buckets }: Histogram, q: number): number | null {
  if (count === 0) return null;
  let left = Math.max(1, Math.ceil(count * q)) - zero;
  if (left <= 0) return 0;
  for (const [bucket, n] of sortBuckets(buckets)) {
    left -= n;
    if (left <= 0) return Math.min(max ?? Infinity, Math.max(min ?? 0, middleOf(bucket)));
  }
  return max;
}

/** The value with the smallest relative distance to both ends of the bucket. */
function middleOf(bucket: number): number {
  const [begin, end] = [bucketEnd(bucket - 1), bucketEnd(bucket)];
  return (2 * begin * end) / (begin + end);
}

/**
 * Returns how many values are at most each bound, as in a classic histogram of Prometheus. The numbers are exact if each
 * bound is a power of two between 0.5 and 2^32, because no bucket then crosses a bound.
 */
export function countsUpTo({ zero, buckets }: Histogram, bounds: readonly number[]): readonly number[] {
  return bounds.map((bound) =>
    [...buckets].reduce((sum, [bucket, n]) => (bucketEnd(bucket) <= bound ? sum + n : sum), zero),
  );
}

/** Returns the buckets from the shortest values to the longest. */
export function sortBuckets(buckets: Histogram["buckets"]): readonly (readonly [number, number])[] {
  return [...buckets].toSorted(([one], [other]) => one - other);
}
