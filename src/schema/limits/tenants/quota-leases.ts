// Quota lease limits: isolates lease shares of a tenant's quotas from the tenant's object, so that a use needs no call.

/** Starts per second are counted over this period. */
export const STARTS_WINDOW_MS = 10_000;
/** Actions per day are counted over this period. */
export const ACTIONS_WINDOW_MS = 24 * 60 * 60_000;
/** The length of a lease. Unused amounts are free again after it. */
export const LEASE_MS = 10_000;
/**
 * The smallest amount of a lease, if as much is available. An isolate that used more in its last lease gets twice that
 * amount.
 */
export const LEASE_BLOCK_MIN = 20;
/** A busy isolate renews its lease this often, and then gets twice its use in that time. */
export const LEASE_PACE_MS = 250;
/** A busy isolate gets at most this multiple of its use in the last lease. */
export const LEASE_GROWTH_MAX = 8;
/** An isolate without a lease, such as a new isolate, uses this share of a quota before it reports the use. */
export const LEASE_TRUST_SHARE = 0.05;
/** An isolate reports its use when it reaches this share of a quota. A call for each use would cost more. */
export const LEASE_REPORT_SHARE = 0.001;
/** An isolate reports its use when it reaches this number, even if the share of the quota is smaller. */
export const LEASE_REPORT_MAX = 50;
/** If the use is below both limits, it is reported with the first use after this time. */
export const LEASE_REPORT_AFTER_MS = 30_000;
/**
 * An isolate whose lease is used up requests another lease after this time, because other isolates may have released
 * shares.
 */
export const LEASE_SPENT_MS = 1_000;
/** How long an isolate waits for the answer of the tenant's object before it continues without a lease. */
export const LEASE_WAIT_MS = 1_000;
/** How long an isolate makes no further calls after the tenant's object did not answer. */
export const LEASE_SILENT_MS = 5_000;
/**
 * How many times a use waits for another lease, because other uses have used up each lease when the lease arrives. Then
 * the use is allowed.
 */
export const LEASE_TRIES_MAX = 5;
/**
 * The most isolates that a tenant's object tracks. If there are more, the isolates that have not reported for the
 * longest time are dropped.
 */
export const LEASES_MAX = 500;
/** The tenant's object writes its counters at most this often. A crash loses at most the uses of this time. */
export const METER_WRITE_AFTER_MS = 5_000;
/** The shortest interval between two warnings for one quota. */
export const QUOTA_WARN_MS = 60 * 60_000;
