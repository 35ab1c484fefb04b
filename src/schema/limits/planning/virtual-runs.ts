// Virtual run limits: simulated executions of previews, forecasts and definition tests. Nothing is stored. They limit
// how long a request delays other requests of its isolate, and the size of the answer.

/** The most inputs of one virtual run, including ticks. Without this limit, a schedule that repeats would never end. */
export const VIRTUAL_RUN_STEPS_MAX = 2_000;
/**
 * The most steps of all virtual runs of a request. Each takes some twenty microseconds, so together they take seconds.
 */
export const VIRTUAL_RUNS_STEPS_MAX = 300_000;
/** The most cost units (see `STEP_WORK_MAX`) of all virtual runs of a request. */
export const VIRTUAL_RUNS_WORK_MAX = 40_000_000;
/** The most expected actions of one virtual run. */
export const VIRTUAL_RUN_ACTIONS_MAX = 500;
/** How far into the future a virtual run simulates by default. */
export const VIRTUAL_RUN_AHEAD_MS = 5 * 366 * 24 * 60 * 60_000;
/** The most inputs that one virtual run may assume: events, patches and pauses. */
export const ASSUMED_INPUTS_MAX = 100;
/** The most conditions that are listed for one expected action: the nearest ones. */
export const ASSUMPTIONS_LISTED_MAX = 12;
/** The most result events that one assumed outcome may have. */
export const ASSUMED_EVENTS_MAX = 20;
