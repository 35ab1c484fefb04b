// What virtual runs may ask for and cost: previews, calendars, tests as data. Nothing of them is stored, so what bounds
// them is the time that one request may keep an isolate's neighbours waiting, and the memory that its answer takes.

/** Inputs that one virtual run takes, its own ticks among them: what recurs would go on for ever. */
export const PLAY_STEPS_MAX = 2_000;
/** Steps of all runs that one request asks for: at some twenty microseconds each these are seconds. */
export const PLAYS_STEPS_MAX = 400_000;
/** Units of work (see `STEP_WORK_MAX`) that all steps of a request may come to. */
export const PLAYS_WORK_MAX = 40_000_000;
/** Expected actions of one virtual run. */
export const PLAY_ACTIONS_MAX = 500;
/** Assumptions that one action is said to hang on, the nearest ones. */
export const ASSUMPTIONS_TOLD_MAX = 12;
/** Result events of one assumed outcome. */
export const ASSUMED_EVENTS_MAX = 20;
