// Duration buckets: each is 4.4 % longer than the one before, so a percentile is accurate to about 2 %. Counts of
// several days can be added.

/** The number of buckets from one power of two to the next. So every power of two is the end of a bucket. */
export const BUCKETS_PER_DOUBLING = 16;

/** Returns the bucket of a duration. Bucket 0 contains durations up to a millisecond; bucket n ends at 2^(n/16) ms. */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log2(ms) * BUCKETS_PER_DOUBLING);
}

export function bucketEndsAt(bucket: number): number {
  return 2 ** (bucket / BUCKETS_PER_DOUBLING);
}
