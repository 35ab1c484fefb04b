// Durations are counted in buckets that grow by 4.4 % each, so that a percentile is known to about 2 %, and that counts of
// different days are added up.

/** So many to each doubling: at every power of two a bucket ends. */
export const BUCKETS_PER_DOUBLING = 16;

/** What took a millisecond or less is in bucket 0; bucket n ends at 2 to the n sixteenths. */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log2(ms) * BUCKETS_PER_DOUBLING);
}

export function bucketEndsAt(bucket: number): number {
  return 2 ** (bucket / BUCKETS_PER_DOUBLING);
}
