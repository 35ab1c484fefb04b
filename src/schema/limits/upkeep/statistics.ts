// Statistics limits: daily counters, trends and reports.

/** The length of a day. Days are counted in UTC from 1970 on, so they are the same for every reader. */
export const DAY_MS = 24 * 60 * 60_000;
/** How many days daily counters are kept. */
export const DAYS_KEPT = 400;
/** The longest error message that is stored with a daily counter. */
export const DAY_ERROR_CHARS_MAX = 500;
/** The most counters of action types that one query adds up. A type has some hundred counters per tenant. */
export const TYPE_COUNTERS_MAX = 50_000;
/** How long after the end of a day the alert about its low success rate is sent. */
export const LOW_DAY_REPORT_MS = 2 * 60 * 60_000;
/** The most alerts about low success rates that one sweep sends. */
export const LOW_DAYS_MAX = 500;
/** The number of days of a trend. */
export const TREND_DAYS = { usual: 30, most: 365 } as const;
/**
 * The most runs of a tenant that statistics count: the newest ones. D1 has one thread, which a longer query would
 * block.
 */
export const STATISTICS_RUNS_MAX = 20_000;
