// Duration buckets grow by 4.4 % each, so that a percentile is known to about 2 %, and counts of different days can be
// added.

/** Buckets per doubling: every power of two is the end of a bucket. */
export const BUCKETS_PER_DOUBLING = 16;

/** A millisecond or less is bucket 0; bucket n ends at 2 to the n sixteenths. */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log2(ms) * BUCKETS_PER_DOUBLING);
}

export function bucketEndsAt(bucket: number): number {
  return 2 ** (bucket / BUCKETS_PER_DOUBLING);
}
