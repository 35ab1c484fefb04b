// Quota lease limits: isolates lease shares of a tenant's quotas from the tenant's object, so that not every use needs
// a call.

/** The period over which starts per second are counted. */
export const STARTS_WINDOW_MS = 10_000;
/** The period over which actions per day are counted. */
export const ACTIONS_WINDOW_MS = 24 * 60 * 60_000;
/** The length of a lease. After it, amounts that were not used are free again. */
export const LEASE_MS = 10_000;
/**
 * The smallest amount of a lease, if that much is free. An isolate that used more in its last lease gets twice its use.
 */
export const LEASE_BLOCK_MIN = 20;
/** How often a busy isolate renews its lease. It then gets twice what it used in this time. */
export const LEASE_PACE_MS = 250;
/** The largest factor by which a lease of a busy isolate exceeds its use in the last lease. */
export const LEASE_GROWTH_MAX = 8;
/**
 * The share of a quota that an isolate without a lease may use before it reports its use. New isolates have no lease.
 */
export const LEASE_TRUST_SHARE = 0.05;
/** The share of a quota after whose use an isolate reports. A call for each use would cost too much. */
export const LEASE_REPORT_SHARE = 0.001;
/** The number of uses after which an isolate reports, even if they are a smaller share of the quota. */
export const LEASE_REPORT_MAX = 50;
/** If the use stays below both limits, the first use after this time reports it. */
export const LEASE_REPORT_AFTER_MS = 30_000;
/**
 * An isolate whose lease is used up requests another one after this time. By then other isolates may have released
 * their shares.
 */
export const LEASE_SPENT_MS = 1_000;
/** How long an isolate waits for the answer of the tenant's object before it continues without a lease. */
export const LEASE_WAIT_MS = 1_000;
/** How long an isolate makes no further calls after the tenant's object did not answer. */
export const LEASE_SILENT_MS = 5_000;
/**
 * How many times a use waits for another lease. Each new lease may be used up by other uses when it arrives. After the
 * last wait, the use is allowed.
 */
export const LEASE_TRIES_MAX = 5;
/**
 * The most isolates that a tenant's object tracks. If there are more, those that have not reported for the longest time
 * are dropped.
 */
export const LEASES_MAX = 500;
/**
 * The shortest interval between two writes of the counters by the tenant's object. If it crashes, it loses at most the
 * uses of this time.
 */
export const METER_WRITE_AFTER_MS = 5_000;
/** The shortest interval between two warnings about one quota. */
export const QUOTA_WARN_MS = 60 * 60_000;
