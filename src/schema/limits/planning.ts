// Planning: limits of rehearsals, previews, load plans, and their advice.

/** An attempt may be held without being used, and a rehearsal must end. Three steps per attempt. */
export const REHEARSAL_STEPS_MAX = 1_500;
/** Many receivers accept no more; nothing of ours is larger by accident. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** Steps of a load's ramp-up. */
export const LOAD_STAGES_MAX = 10;
/** Executions of a load that are followed at the same time, and for how long at the end. */
export const LOAD_FOLLOWED_AT_ONCE = 200;
export const LOAD_DRAIN_MS = 30_000;
/** A slow provider's duration, and its maximum share of the action's own timeout. */
export const LOAD_SLOW_MS = 2_000;
export const LOAD_SLOW_SHARE = 0.5;
export const LOAD_ERROR_SHARE = 0.2;
