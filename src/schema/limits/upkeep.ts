// Upkeep: background work of the engine: paced operations, the sweeper, deletion.

/** One slice of an operation is one call to the Worker, which may call as many objects. */
export const OPERATION_SLICE_MAX = 100;
/** Wakes the operation's object again if it is lost in the middle of a slice. */
export const OPERATION_GUARD_MS = 30_000;
/** A page and its first slice need two; the rest follows in the next alarm. */
export const OPERATION_STEPS_PER_ALARM_MAX = 4;
/** With this many unreachable items a larger fault is likely, so the operation begins no new items. */
export const OPERATION_LEFT_MAX = 200;
/** An item that fails unexpectedly this often is given up. */
export const OPERATION_BROKEN_TRIES_MAX = 5;
/** Longer than an outage: items unreachable until then are given up, so that every operation ends. */
export const OPERATION_UNREACHED_MS_MAX = 24 * 60 * 60_000;
export const OPERATION_BACKOFF_MS_MAX = 60_000;
/** How long an operation's object is kept after the end. The catalog's row stays longer. */
export const OPERATION_KEPT_MS = 7 * 24 * 60 * 60_000;
/** Enough for several slices, so the catalog is queried rarely. */
export const OPERATION_PAGE_ROWS = 500;
/** A dry run queries this many executions, failed ones first, and handled ones in the rest of the sample. */
export const OPERATION_SAMPLE_WAITING = 20;
export const OPERATION_SAMPLE_MAX = 25;
/** Executions of one operation: its object stores their ids, in rows of this many. */
export const STEERED_MAX = 1_000_000;
export const STEERED_ROW_MAX = 2_000;
/** The command is sent with every slice, and shown in the list of operations. */
export const STEER_BYTES_MAX = 32 * 1024;
/** A dry run queries this many of them, those created first. */
export const STEER_SAMPLE_MAX = 20;
/** How often the health of processed executions is checked, and on how many, spread over all of them. */
export const HEALTH_EVERY_MS = 5_000;
/** The same for the provider of automatic retries. */
export const AWAY_EVERY_MS = 1_000;
export const HEALTH_SAMPLE_MAX = 500;
/** The maximum of excluded states. */
export const HEALTH_STATES_MAX = 20;
/** The minimum number for a share of errors to be significant. */
export const STOP_AFTER = { usual: 20, most: 10_000 } as const;
/** The maximum of kinds of entries, and of definitions, that the preview of an operation over executions shows. */
export const STEER_KINDS_SHOWN = 20;
/** Operations in a list whose objects are queried; the others are shown as they began. */
export const OPERATIONS_ASKED_MAX = 20;

/** An alarm may be a minute late and a projection a little longer; nothing counts as overdue before that. */
export const OVERDUE_MS = 5 * 60_000;
export const OVERDUE_MAX = 2_000;
/** Recurring actions woken, and deleted, in one sweep; those that wait longest come first. */
export const RECURRING_TENDED_MAX = 500;
/** Results of checks that are stored at once. */
export const LOOKS_NOTED_ROWS = 500;
/** The sweeper checks an overdue execution again after this, and each time after twice as long. */
export const LOOK_AGAIN_MS = { first: 10 * 60_000, most: 6 * 60 * 60_000 } as const;
/** A task's end not delivered by then is sent again: its first delivery may be in progress before. */
export const TASK_UNDELIVERED_MS = 60_000;
export const TASKS_UNDELIVERED_MAX = 500;

/** A reservation this old belongs to a lost request; the next one with its key takes it over. */
export const ANSWER_ABANDONED_MS = 60_000;
/** Responses stored by Idempotency-Key. */
export const ANSWERS_KEPT_MS = 24 * 60 * 60_000;
export const AUDIT_KEPT_MS = 400 * 24 * 60 * 60_000;
/** Longer than a message waits in a queue: no late message can recreate an erased execution. */
export const ERASED_KEPT_MS = 5 * 24 * 60 * 60_000;
export const PURGE_CHUNK_ROWS = 1_000;
/** The maximum of chunks of each kind in one sweep; the rest waits five minutes. */
export const PURGE_CHUNKS_MAX = 10;

/** Each lost race for a version means that another request's was stored; after this many the request is refused. */
export const VERSION_TRIES_MAX = 20;
/** Well below D1's 2 MB for one value, even if every character takes three bytes. */
export const CATALOG_PARAMETER_CHARS_MAX = 500_000;
/** How many names "did you mean" compares. */
export const NAMES_COMPARED_MAX = 1_000;
/** Days are counted in UTC, from 1970 on: the same for every reader. */
export const DAY_MS = 24 * 60 * 60_000;
/** How long daily counters are kept; and the length of the error shown with one. */
export const DAYS_KEPT = 400;
export const DAY_ERROR_CHARS_MAX = 500;
/** Counters of action types that one query adds up: some hundred per type and tenant. */
export const TYPE_COUNTERS_MAX = 50_000;
/** How long after a day's end its report is sent, and to how many channels in one sweep. */
export const LOW_DAYS_TOLD_MS = 2 * 60 * 60_000;
export const LOW_DAYS_MAX = 500;
/** The maximum count of due runs, per tenant, and of how many tenants in one sweep. */
export const QUEUE_DEPTH_MAX = 10_000;
export const QUEUE_DEPTH_TENANTS_MAX = 500;
/** Pages of a machine's history, of a hundred entries each, that are read to find the states it has left. */
export const STANDING_PAGES_MAX = 10;
/** Pages of the history searched for attempts at a time; a cursor continues from there. */
export const HISTORY_PAGES_MAX = 10;
/** Waiting executions searched for the next wake, the newest first. */
export const NEXT_LOOKED_MAX = 5_000;
/** A drain checks its results after these waits; unfinished ones are reported as in progress. */
export const DRAIN_LOOKS_MS = [50, 100, 200, 400, 800, 1_600] as const;
/** Runs not begun by then are left to their own alarm. */
export const DRAIN_MS_MAX = 10_000;
export const DRAIN_RUNS = { usual: 10, most: 100 } as const;
/** How many days a trend covers. */
export const TREND_DAYS = { usual: 30, most: 365 } as const;
/** Statistics count the newest of a tenant's runs, up to this many, because D1 has one thread. */
export const STATISTICS_RUNS_MAX = 20_000;
