// Statistics limits: daily counters, trends and reports.

/** The length of a day. Days are counted in UTC from 1970 on, so they are the same for every reader. */
export const DAY_MS = 24 * 60 * 60_000;
/** How many days daily counters are kept. */
export const DAYS_KEPT = 400;
/** The longest error message that is stored with a daily counter. */
export const DAY_ERROR_CHARS_MAX = 500;
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

/** The length of an hour. Hours are counted in UTC from 1970 on. */
export const HOUR_MS = 60 * 60_000;
/** How long hourly figures are kept: a week, and a day for late projections. Daily figures are kept for `DAYS_KEPT`. */
export const HOURS_KEPT = 8 * 24;
/** The most rows of figures that a tenant may have per hour: one for each version of a definition. Further runs count in one row. */
export const FIGURE_KEYS_MAX = 500;
/** The most definitions with figures of their own. */
export const FIGURE_DEFINITIONS_MAX = 1_000;
/** Above this size a row of figures is reduced to its largest groups, and each group to its most frequent errors. */
export const FIGURE_ROW_CHARS_MAX = 100_000;
export const FIGURE_GROUPS_MAX = 50;
export const FIGURE_ERRORS_MAX = 20;
/**
 * The number of rows that one step of the sweep folds, and the most steps of one sweep. Merging large rows takes almost
 * 0.1 s each, and D1 aborts a batch after 30 s.
 */
export const FOLDED_ROWS = 20;
export const FOLD_STEPS_MAX = 200;
/** The most rows of figures that one query reads, and their size. */
export const FIGURES_READ_MAX = { rows: 5_000, chars: 8_000_000 } as const;
/** The same for the figures by day: one row per tenant and day, and the rows of the hours that are not folded yet. */
export const DAYS_READ_MAX = { rows: 50_000, chars: 32_000_000 } as const;
/** The groups of one answer, and the most points of all their series. */
export const FIGURE_GROUPS_SHOWN = { usual: 20, most: 100 } as const;
export const FIGURE_POINTS_MAX = 2_000;
/** The most items of each class that an answer about waiting work counts: those at the beginning of the class's index. */
export const WAITING_READ_MAX = 1_000;
