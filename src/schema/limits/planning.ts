// What is only rehearsed or planned: rehearsals, previews, load plans, and the advice that comes of them.

/** An attempt may come back without being spent; some time a rehearsal has to end. Three steps an attempt. */
export const REHEARSAL_STEPS_MAX = 1_500;
/** Many receivers take no more; nothing of ours is larger by accident. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** Steps in which a load rises. */
export const LOAD_STAGES_MAX = 10;
/** Executions of a load whose end is waited for at the same time, and how long at the end of all. */
export const LOAD_FOLLOWED_AT_ONCE = 200;
export const LOAD_DRAIN_MS = 30_000;
/** What a slow provider takes, and at most of the action's own time limit. */
export const LOAD_SLOW_MS = 2_000;
export const LOAD_SLOW_SHARE = 0.5;
export const LOAD_ERROR_SHARE = 0.2;
