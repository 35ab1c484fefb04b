// Virtual runs: limits of previews, calendars, and definition tests. Nothing is stored, so the limits are the time that
// one request may delay others in its isolate, and the memory of its answer.

const KIB = 1024;
const DAY_MS = 24 * 60 * 60_000;

/** A preview runs the subjects one after the other and sorts all rows at the end, so all rows are in memory at once. */
export const PREVIEW_SUBJECTS_MAX = 10_000;
/** The maximum of expected actions of all subjects. A row is a few hundred bytes in the isolate's 128 MB. */
export const PREVIEW_ROWS_MAX = 100_000;
/** The maximum size of shown configs: of one row, and of all rows together. */
export const PREVIEW_CONFIG_BYTES_MAX = 16 * KIB;
export const PREVIEW_CONTENTS_BYTES_MAX = 4 * KIB * KIB;
/** Subjects listed individually because they do not complete normally. */
export const PREVIEW_ENDS_MAX = 500;
/** Written to the client at a time. */
export const PREVIEW_CHUNK_CHARS = 64 * KIB;

/** Inputs of one virtual run, its own ticks included: a recurring schedule would never end. */
export const PLAY_STEPS_MAX = 2_000;
/** Steps of all runs in one request: at some twenty microseconds each these are seconds. */
export const PLAYS_STEPS_MAX = 300_000;
/** The total cost units (see `STEP_WORK_MAX`) of all steps of a request. */
export const PLAYS_WORK_MAX = 40_000_000;
/** Expected actions of one virtual run. */
export const PLAY_ACTIONS_MAX = 500;
/** How far it looks ahead by default. */
export const PLAY_AHEAD_MS = 5 * 366 * DAY_MS;
/** Events, patches and pauses that are given to one run. */
export const GIVEN_MAX = 100;
/** Assumptions listed for one action, the nearest ones. */
export const ASSUMPTIONS_TOLD_MAX = 12;
/** Result events of one assumed outcome. */
export const ASSUMED_EVENTS_MAX = 20;

/** Tests in a definition, the expectations of one, and all of them together as JSON. */
export const TESTS_MAX = 50;
export const TEST_CHECKS_MAX = 50;
export const TEST_ACTIONS_MAX = 200;
export const TESTS_BYTES_MAX = 128 * KIB;
/** The total cost of a definition's tests: some tenths of a second, for each new version. */
export const TESTS_STEPS_MAX = 10_000;
export const TESTS_WORK_MAX = 5_000_000;
/** Listed failures of one test. */
export const TEST_FAILURES_TOLD_MAX = 20;

/** Executions of a forecast, and how many of them are simulated: each represents as many others. */
export const FORECAST_COUNT_MAX = 1_000_000;
export const FORECAST_PLAYED_MAX = 2_000;
/** Simulated in advance, to measure the cost of one; and the share of a request's cost for the others. */
export const FORECAST_PILOTS = 3;
export const FORECAST_STEPS_SHARE = 0.4;
/** Lines of send times; by the hour, and from this span on by the day: hours would be too many to read. */
export const FORECAST_TIMES_MAX = 1_000;
export const FORECAST_HOUR_MS = DAY_MS / 24;
export const FORECAST_DAY_MS = DAY_MS;
export const FORECAST_BY_DAY_FROM_MS = 14 * DAY_MS;
/** The period in which writes of gates and lists are combined. */
export const FORECAST_TOGETHER_MS = 1_000;
/** Outcomes among which one action's attempts are split. */
export const FORECAST_SHARES_MAX = 10;
/** Connections with assumed limits. */
export const GIVEN_CONNECTIONS_MAX = 50;
