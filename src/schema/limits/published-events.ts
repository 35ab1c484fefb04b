// Published event limits: events that a tenant's directory delivers to all executions with a correlation key.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The most executions that receive one published event. */
export const EVENT_RECIPIENTS_MAX = 1_000;
/**
 * The most events in one directory object that wait for an execution with their key. If there are that many, further
 * events are refused.
 */
export const WAITING_EVENTS_MAX = 1_000;
/** The most published events that one directory object stores. The oldest finished events are deleted first. */
export const PUBLISHED_EVENTS_MAX = 20_000;
/** The longest time that an event may wait for an execution with its key. */
export const WAITING_EVENT_MS_MAX = 7 * DAY_MS;
/** How long the result of a published event can be read, and its id detects repeats. */
export const PUBLISHED_EVENT_KEPT_MS = 7 * DAY_MS;
/** The gaps between deliveries of an event to recipients that could not be reached. */
export const EVENT_DELIVERY_GAPS_MS = [1_000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
/** The longest gap between reports of an event's result to a trigger that could not be reached. */
export const REPORT_GAP_MS_MAX = 15 * MINUTE_MS;
/** After this time the directory stops delivering an event. */
export const EVENT_DELIVERY_MS_MAX = DAY_MS;
/** The number of recipients in one call of the directory to the Worker. */
export const RECIPIENTS_PER_CALL = 50;
/** The number of waiting events that a newly registered execution receives in one slice. */
export const WAITING_EVENTS_PER_SLICE = 100;
/** The most steps of a directory object in one alarm. Then the object handles other calls before the next alarm. */
export const DIRECTORY_STEPS_PER_ALARM = 50;
/** The number of expired rows that the directory deletes at a time. */
export const DIRECTORY_PURGED_ROWS = 500;
/** When the guard alarm fires. It wakes the directory's object if the object was evicted during a delivery. */
export const DIRECTORY_GUARD_MS = 30_000;
