// What virtual runs may ask for and cost: previews, calendars, tests as data. Nothing of them is stored, so what bounds
// them is the time that one request may keep an isolate's neighbours waiting, and the memory that its answer takes.

const KIB = 1024;
const DAY_MS = 24 * 60 * 60_000;

/** One after the other, and sorted together in the end: their rows are at hand all at once. */
export const PREVIEW_SUBJECTS_MAX = 10_000;
/** What they expect, together. A row is a few hundred bytes in the isolate's 128 MB. */
export const PREVIEW_ROWS_MAX = 100_000;
/** What is asked to be shown as it would be sent; one row's, and all together. */
export const PREVIEW_CONFIG_BYTES_MAX = 16 * KIB;
export const PREVIEW_CONTENTS_BYTES_MAX = 4 * KIB * KIB;
/** Subjects of which it is told one by one that they do not simply go through. */
export const PREVIEW_ENDS_MAX = 500;
/** Written to whoever reads the answer at a time. */
export const PREVIEW_CHUNK_CHARS = 64 * KIB;

/** Inputs that one virtual run takes, its own ticks among them: what recurs would go on for ever. */
export const PLAY_STEPS_MAX = 2_000;
/** Steps of all runs that one request asks for: at some twenty microseconds each these are seconds. */
export const PLAYS_STEPS_MAX = 300_000;
/** Units of work (see `STEP_WORK_MAX`) that all steps of a request may come to. */
export const PLAYS_WORK_MAX = 40_000_000;
/** Expected actions of one virtual run. */
export const PLAY_ACTIONS_MAX = 500;
/** How far it looks ahead when nobody says. */
export const PLAY_AHEAD_MS = 5 * 366 * DAY_MS;
/** Events, patches and pauses that are given to one run. */
export const GIVEN_MAX = 100;
/** Assumptions that one action is said to hang on, the nearest ones. */
export const ASSUMPTIONS_TOLD_MAX = 12;
/** Result events of one assumed outcome. */
export const ASSUMED_EVENTS_MAX = 20;

/** Tests that stand in a definition, what one of them expects, and all of them together as JSON. */
export const TESTS_MAX = 50;
export const TEST_CHECKS_MAX = 50;
export const TEST_ACTIONS_MAX = 200;
export const TESTS_BYTES_MAX = 128 * KIB;
/** What all tests of a definition may cost together: some tenths of a second, at each new version. */
export const TESTS_STEPS_MAX = 10_000;
export const TESTS_WORK_MAX = 5_000_000;
/** What is told of one test that fails. */
export const TEST_FAILURES_TOLD_MAX = 20;

/** Executions that a forecast is for, of which so many are played: each of those stands for as many others. */
export const FORECAST_COUNT_MAX = 1_000_000;
export const FORECAST_PLAYED_MAX = 2_000;
/** Played alone beforehand, to know what one costs; and how much of what a request may cost the others are given. */
export const FORECAST_PILOTS = 3;
export const FORECAST_STEPS_SHARE = 0.4;
/** Lines of what leaves when; by the hour, and from this span on by the day: hours would be too many to look at. */
export const FORECAST_TIMES_MAX = 1_000;
export const FORECAST_HOUR_MS = DAY_MS / 24;
export const FORECAST_DAY_MS = DAY_MS;
export const FORECAST_BY_DAY_FROM_MS = 14 * DAY_MS;
/** In which what is written of gates and lists is written together. */
export const FORECAST_TOGETHER_MS = 1_000;
/** Outcomes that one action's attempts are shared out to. */
export const FORECAST_SHARES_MAX = 10;
/** Connections whose limits are given. */
export const GIVEN_CONNECTIONS_MAX = 50;
