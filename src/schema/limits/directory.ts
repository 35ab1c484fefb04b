// Tenant directory: what it stores and does at a time.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Keys are spread over this many objects, each with a few hundred writes per second. */
export const DIRECTORY_OBJECTS = 16;
/** Maximum recipients of one event. */
export const RECIPIENTS_MAX = 1_000;
/** Events of one object that wait for a registration; further ones are refused. */
export const POSTED_KEPT_MAX = 1_000;
/** Events stored in total; the oldest finished ones are deleted first. */
export const POSTED_ROWS_MAX = 20_000;
export const POSTED_KEEP_MS_MAX = 7 * DAY_MS;
/** How long an event's result is readable, and its id detects repeats. */
export const POSTED_REMEMBERED_MS = 7 * DAY_MS;
/** How long a removed registration is kept: longer than a message about it can be in transit. */
export const LEFT_REMEMBERED_MS = 5 * DAY_MS;
/** Gaps between deliveries to recipients that could not be reached. */
export const HANDED_AGAIN_MS = [1_000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
/** No delivery is tried after this. */
export const HANDED_FOR_MS = DAY_MS;
/** Recipients in one call. */
export const HANDED_AT_ONCE = 50;
/** Steps of one alarm before other calls get their turn. */
export const DIRECTORY_STEPS_PER_ALARM = 50;
export const DIRECTORY_PURGED_ROWS = 500;
/** Wakes the object again if it is lost in the middle of a delivery. */
export const DIRECTORY_GUARD_MS = 30_000;
/** Events that wait for a key are delivered to a newly registered execution in slices of this size. */
export const KEPT_GIVEN_AT_ONCE = 100;
