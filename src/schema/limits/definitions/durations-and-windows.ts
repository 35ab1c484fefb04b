// Time limits: durations, instants, cron expressions and windows that a client may write.

/**
 * The longest duration: four hundred years. An instant of this century plus the longest duration is still a valid
 * instant.
 */
export const DURATION_MS_MAX = 146_000 * 24 * 60 * 60_000;
/** The last valid year of an instant. A later year is an error. */
export const LAST_YEAR = 2500;
/** The last valid instant, in epoch milliseconds. */
export const INSTANT_MS_MAX = Date.UTC(LAST_YEAR + 1, 0, 1) - 1;
/**
 * The longest text of a date-time: it may have nine digits of a second, an offset and the name of a zone. Parsing takes
 * time that grows with the square of the length.
 */
export const INSTANT_CHARS_MAX = 128;
/** The longest cron expression. */
export const CRON_CHARS_MAX = 200;
/**
 * How late a scheduled occurrence may start, if the definition sets nothing else. A later occurrence counts as missed.
 */
export const OCCURRENCE_GRACE_MS = 10 * 60_000;
/** The most time ranges of a window: two per day of a week. */
export const WINDOW_RANGES_MAX = 14;
/** The longest time over which runs that wait for a window are spread after it opens. */
export const WINDOW_SPREAD_MS_MAX = 24 * 60 * 60_000;
/**
 * How many days ahead the next opening of a window is searched. A window that does not open within a year never opens.
 */
export const WINDOW_DAYS_MAX = 366;
