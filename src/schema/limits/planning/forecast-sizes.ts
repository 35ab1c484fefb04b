// Forecast limits: how many executions a forecast simulates, and how it presents the results.
const DAY_MS = 24 * 60 * 60_000;

/** The most executions of a forecast. */
export const FORECAST_COUNT_MAX = 1_000_000;
/**
 * The most executions that a forecast simulates. If it is made for more, each simulated execution represents several.
 */
export const FORECAST_SIMULATED_MAX = 2_000;
/** How many executions are simulated first. Their cost decides how many can be simulated in total. */
export const FORECAST_PILOTS = 3;
/** The share of the remaining cost units that the simulated executions may use. */
export const FORECAST_STEPS_SHARE = 0.4;
/** The most rows of send times in a forecast. */
export const FORECAST_TIMES_MAX = 1_000;
/** Send times are counted by the hour. If they span `FORECAST_BY_DAY_FROM_MS` or more, they are counted by the day. */
export const FORECAST_HOUR_MS = DAY_MS / 24;
export const FORECAST_DAY_MS = DAY_MS;
export const FORECAST_BY_DAY_FROM_MS = 14 * DAY_MS;
/** Two writes of the object of a connection or of an enrolment list within this time are counted as one. */
export const FORECAST_COMBINED_MS = 1_000;
/**
 * The most different outcomes that a forecast may assume for one action. Each outcome applies to a share of the
 * attempts.
 */
export const FORECAST_SHARES_MAX = 10;
/** The most connections for which a request may assume limits. */
export const ASSUMED_CONNECTIONS_MAX = 50;
