// What the engine does by itself and in the background: paced operations, the sweeper, letting go.

/** One slice of an operation is one call to the Worker, which may have to ask as many objects. */
export const OPERATION_SLICE_MAX = 100;
/** Should an operation's object go down with a slice in its hands, it wakes again after this. */
export const OPERATION_GUARD_MS = 30_000;
/** A page and its first slice need two; whatever wants more goes on with the next alarm. */
export const OPERATION_STEPS_PER_ALARM_MAX = 4;
/** With so many that cannot be asked, something larger is wrong: nothing new is begun. */
export const OPERATION_LEFT_MAX = 200;
/** An execution that breaks over its item so often breaks over it always: the item is given up. */
export const OPERATION_BROKEN_TRIES_MAX = 5;
/** Longer than an outage: what cannot be reached until then is given up, so that every operation ends. */
export const OPERATION_UNREACHED_MS_MAX = 24 * 60 * 60_000;
export const OPERATION_BACKOFF_MS_MAX = 60_000;
/** How long an operation's object remembers after the end. The catalog's row stays longer. */
export const OPERATION_KEPT_MS = 7 * 24 * 60 * 60_000;
/** Enough for several slices: the catalog is asked seldom. */
export const OPERATION_PAGE_ROWS = 500;
/** A dry run asks the executions of so many, those that failed first, and of handled ones as many as there is room left for. */
export const OPERATION_SAMPLE_WAITING = 20;
export const OPERATION_SAMPLE_MAX = 25;
/** Executions that one operation is about: their ids stand in its object, in rows of so many. */
export const STEERED_MAX = 1_000_000;
export const STEERED_ROW_MAX = 2_000;
/** What each of them is given travels with every slice, and stands in the list of operations. */
export const STEER_BYTES_MAX = 32 * 1024;
/** A dry run asks so many of them, those that were created first. */
export const STEER_SAMPLE_MAX = 20;
/** How those fare that were dealt with is looked at so often, on so many, spread over all of them. */
export const HEALTH_EVERY_MS = 5_000;
/** The same of whether the provider is away that dead letters are sent to by themselves. */
export const AWAY_EVERY_MS = 1_000;
export const HEALTH_SAMPLE_MAX = 500;
/** Of states in which nobody should stand. */
export const HEALTH_STATES_MAX = 20;
/** A share of errors means something from so many on. */
export const STOP_AFTER = { usual: 20, most: 10_000 } as const;
/** Of one operation over executions, in a preview: kinds of entries, and definitions, that are told. */
export const STEER_KINDS_SHOWN = 20;
/** Of a list of operations so many are asked how far they are; the others are shown as they began. */
export const OPERATIONS_ASKED_MAX = 20;

/** An alarm may be a minute late and a projection a while longer; nobody is overdue before that. */
export const OVERDUE_MS = 5 * 60_000;
export const OVERDUE_MAX = 2_000;
/** Recurring actions woken, and let go of, in one sweep; those that wait longest come first. */
export const RECURRING_TENDED_MAX = 500;
/** What so many looks came to is noted at once. */
export const LOOKS_NOTED_ROWS = 500;
/** One that looking does not heal is looked at again after this, and each time after twice as long. */
export const LOOK_AGAIN_MS = { first: 10 * 60_000, most: 6 * 60 * 60_000 } as const;
/** A task's end that was not delivered by then is told again: whoever closed it may be telling it just now. */
export const TASK_UNDELIVERED_MS = 60_000;
export const TASKS_UNDELIVERED_MAX = 500;

/** A reservation this old belongs to a request that died; the next one with its key takes it over. */
export const ANSWER_ABANDONED_MS = 60_000;
/** Answers kept by Idempotency-Key. */
export const ANSWERS_KEPT_MS = 24 * 60 * 60_000;
export const AUDIT_KEPT_MS = 400 * 24 * 60 * 60_000;
/** Longer than a message waits in a queue: nothing that comes later can make an erased execution anew. */
export const ERASED_KEPT_MS = 5 * 24 * 60 * 60_000;
export const PURGE_CHUNK_ROWS = 1_000;
/** Of each kind in one sweep; what is left waits five minutes. */
export const PURGE_CHUNKS_MAX = 10;

/** Each lost race for a version means that somebody else's was stored; this many in a row are no race any more. */
export const VERSION_TRIES_MAX = 20;
/** Well below D1's 2 MB for one value, even where every character takes three bytes. */
export const CATALOG_PARAMETER_CHARS_MAX = 500_000;
/** How many names "did you mean" looks at. */
export const NAMES_COMPARED_MAX = 1_000;
/** Days are counted in UTC, from 1970 on: the same for everybody who looks. */
export const DAY_MS = 24 * 60 * 60_000;
/** Days that were counted are kept so long; the error that is shown with one is cut to so much. */
export const DAYS_KEPT = 400;
export const DAY_ERROR_CHARS_MAX = 500;
/** Counters of types of actions that one question adds up: some hundred a type and tenant. */
export const TYPE_COUNTERS_MAX = 50_000;
/** What is told of a day that has ended is told in so much of the next one, to so many channels in one sweep. */
export const LOW_DAYS_TOLD_MS = 2 * 60 * 60_000;
export const LOW_DAYS_MAX = 500;
/** How much of what is due and not begun is counted, of one tenant, and of how many tenants in one sweep. */
export const QUEUE_DEPTH_MAX = 10_000;
export const QUEUE_DEPTH_TENANTS_MAX = 500;
/** How many pages of a machine's history, of a hundred entries each, are read to tell which states it has left. */
export const STANDING_PAGES_MAX = 10;
/** Attempts are looked for in so many pages of the history at a time; a cursor goes on from there. */
export const HISTORY_PAGES_MAX = 10;
/** When something goes next is looked for among so many that wait, the newest first. */
export const NEXT_LOOKED_MAX = 5_000;
/** A drain looks so often at what it has set off, after these waits; what takes longer is said to be under way. */
export const DRAIN_LOOKS_MS = [50, 100, 200, 400, 800, 1_600] as const;
/** What has not been begun by then is left to its own alarm. */
export const DRAIN_MS_MAX = 10_000;
export const DRAIN_RUNS = { usual: 10, most: 100 } as const;
/** How many days back a trend goes. */
export const TREND_DAYS = { usual: 30, most: 365 } as const;
/** Statistics count the newest of a tenant's runs, so many at the most: D1 has one thread for everybody. */
export const STATISTICS_RUNS_MAX = 20_000;
