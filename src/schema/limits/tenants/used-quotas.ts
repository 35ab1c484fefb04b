// Quota usage: how live executions are counted, how attempts in progress are reported, and how long held runs wait.

/** Live executions are counted in the catalog at most this often. */
export const LIVE_COUNT_MS = 5_000;
/** Live executions are counted in the catalog only from this share of the quota on. */
export const LIVE_COUNT_SHARE = 0.5;
/** The catalog's count does not contain starts within this time, because projections are delayed. */
export const LIVE_COUNT_LAG_MS = 10_000;
/**
 * An isolate records its number of starts once per period. It adds the starts that the catalog's count does not contain
 * yet.
 */
export const LIVE_MARK_GAP_MS = 1_000;
/** How long a recorded number of starts is kept: as long as a count may take to arrive. */
export const LIVE_MARKS_KEPT_MS = 30_000;
/** A count of live executions that is older than this is not used. An outage of D1 therefore causes no refusals. */
export const LIVE_COUNT_VALID_MS = 2 * 60_000;

/** An attempt that takes longer than this is reported while it runs, so that it is counted as in progress. */
export const IN_FLIGHT_REPORT_MS = 30_000;
/** The attempts of an isolate that has not reported for this long are not counted any more. */
export const IN_FLIGHT_FORGOTTEN_MS = 60_000;
/** If an isolate's attempts in progress change by this share of the quota, the isolate reports them immediately. */
export const IN_FLIGHT_REPORT_SHARE = 0.05;
/** If an isolate's queue slots change by this share of `QUEUE_SHARE_ALL`, the isolate reports them immediately. */
export const QUEUE_SHARE_REPORT_SHARE = 0.05;
/** An attempt without a reported end counts as over this long after its deadline. */
export const ATTEMPT_OVER_GRACE_MS = 60_000;

/**
 * A run that the quota of concurrent attempts holds is retried after this time, plus a random part of the same time.
 */
export const HELD_FOR_IN_FLIGHT_MS = 5_000;
/** A run that its tenant's share of a queue holds is retried after this time, plus a random part of the same time. */
export const HELD_FOR_SHARE_MS = 10_000;
/** A run held by the quota of actions per day is retried after this time. */
export const HELD_FOR_DAY_MS = 60 * 60_000;
/** A run that its tenant's suspension holds is retried after this time. By then its cell has noticed the suspension. */
export const HELD_FOR_SUSPENSION_MS = 15_000;
/** Each isolate logs at most this often that a tenant's share of a queue is used up. */
export const SHARE_LOGGED_MS = 10 * 60_000;
