// What a tenant's directory keeps and does at a time.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Keys are spread over so many objects: each is a few hundred writes a second. */
export const DIRECTORY_OBJECTS = 16;
/** One event reaches so many executions at most: more is a matter of pace. */
export const RECIPIENTS_MAX = 1_000;
/** So many events of one object wait for somebody to come; further ones are refused. */
export const POSTED_KEPT_MAX = 1_000;
/** And it remembers so many in all; the oldest that are over go first. */
export const POSTED_ROWS_MAX = 20_000;
export const POSTED_KEEP_MS_MAX = 7 * DAY_MS;
/** How long what became of an event can be looked at, and its id is known again. */
export const POSTED_REMEMBERED_MS = 7 * DAY_MS;
/** An execution that is no member any more is remembered for so long: longer than a message about it can be on its way. */
export const LEFT_REMEMBERED_MS = 5 * DAY_MS;
/** Gaps between tries for those that could not be reached. */
export const HANDED_AGAIN_MS = [1_000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
/** After this nobody tries any more. */
export const HANDED_FOR_MS = DAY_MS;
/** So many recipients are asked in one call. */
export const HANDED_AT_ONCE = 50;
/** What an alarm looks at before it lets others in. */
export const DIRECTORY_STEPS_PER_ALARM = 50;
export const DIRECTORY_PURGED_ROWS = 500;
/** Should it go down with something in its hands. */
export const DIRECTORY_GUARD_MS = 30_000;
/** Those that wait for a key go to the execution that comes in slices of so many. */
export const KEPT_GIVEN_AT_ONCE = 100;
