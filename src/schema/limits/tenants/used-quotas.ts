// Quota usage: how live executions are counted, how attempts in progress are reported, and how long held runs wait.

/** The shortest interval between two counts of live executions in the catalog. */
export const LIVE_COUNT_MS = 5_000;
/** The share of the quota from which on live executions are counted in the catalog. */
export const LIVE_COUNT_SHARE = 0.5;
/** Projections are delayed, so the catalog's count may lack the starts of this last period. */
export const LIVE_COUNT_LAG_MS = 10_000;
/**
 * How often an isolate records its number of starts. With these records it adds the starts that the catalog's count
 * still lacks.
 */
export const LIVE_MARK_GAP_MS = 1_000;
/** How long a recorded number of starts is stored. A count may take that long to arrive. */
export const LIVE_MARKS_KEPT_MS = 30_000;
/** A count of live executions that is older than this is ignored. So an outage of D1 causes no refusals. */
export const LIVE_COUNT_VALID_MS = 2 * 60_000;

/** An attempt that takes longer than this is reported while it runs. It is then counted as in progress. */
export const IN_FLIGHT_REPORT_MS = 30_000;
/** If an isolate has not reported for this long, its attempts are no longer counted. */
export const IN_FLIGHT_FORGOTTEN_MS = 60_000;
/** If an isolate's attempts in progress change by this share of the quota, it reports them immediately. */
export const IN_FLIGHT_REPORT_SHARE = 0.05;
/** If an isolate's queue slots change by this share of `QUEUE_SHARE_ALL`, it reports them immediately. */
export const QUEUE_SHARE_REPORT_SHARE = 0.05;
/** How long after its deadline an attempt counts as over if its end was not reported. */
export const ATTEMPT_OVER_GRACE_MS = 60_000;

/**
 * How long a run waits that the quota of concurrent attempts holds. A random time of up to the same length is added.
 */
export const HELD_FOR_IN_FLIGHT_MS = 5_000;
/** How long a run waits that its tenant's share of a queue holds. A random time of up to the same length is added. */
export const HELD_FOR_SHARE_MS = 10_000;
/** How long a run waits that the quota of actions per day holds. */
export const HELD_FOR_DAY_MS = 60 * 60_000;
/** How long a run waits that its tenant's suspension holds. By then its cell has noticed the suspension. */
export const HELD_FOR_SUSPENSION_MS = 15_000;
/** The shortest interval between two log lines of an isolate that say that a tenant's share of a queue is used up. */
export const SHARE_LOGGED_MS = 10 * 60_000;
