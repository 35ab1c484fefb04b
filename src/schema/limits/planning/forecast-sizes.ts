// Forecast limits: how many executions a forecast simulates, and how it presents the results.
const DAY_MS = 24 * 60 * 60_000;

/** The most executions of a forecast. */
export const FORECAST_COUNT_MAX = 1_000_000;
/**
 * The most executions that are simulated. If the forecast has more executions, each simulated one represents several of
 * them.
 */
export const FORECAST_SIMULATED_MAX = 2_000;
/** The number of executions that are simulated first, to measure the cost of simulating one execution. */
export const FORECAST_PILOTS = 3;
/** The share of a request's cost units that the simulated executions may use. */
export const FORECAST_STEPS_SHARE = 0.4;
/** The most rows of send times. */
export const FORECAST_TIMES_MAX = 1_000;
/** Send times are counted by the hour, and from a span of `FORECAST_BY_DAY_FROM_MS` on by the day. */
export const FORECAST_HOUR_MS = DAY_MS / 24;
export const FORECAST_DAY_MS = DAY_MS;
export const FORECAST_BY_DAY_FROM_MS = 14 * DAY_MS;
/** Two writes of a connection's object or of a list within this period are counted as one write. */
export const FORECAST_COMBINED_MS = 1_000;
/** The most outcomes among which a forecast may divide the attempts of one action. */
export const FORECAST_SHARES_MAX = 10;
/** The most connections with assumed limits. */
export const ASSUMED_CONNECTIONS_MAX = 50;
