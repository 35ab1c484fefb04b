// Limits of one execution: its state, its journal, and the events, tasks, children and receipts that it stores.
const KIB = 1024;
const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

// State size limits: what an execution stores in its row. The platform limits a row to 2 MB.

/** The largest size of an execution's variables as JSON. */
export const VARIABLES_BYTES_MAX = 256 * KIB;
/** The largest config of a run. */
export const CONFIG_BYTES_MAX = 128 * KIB;
/** The largest state of an execution, including its variables, unfinished runs and configs. */
export const STATE_BYTES_MAX = 1536 * KIB;
/**
 * The largest state including what the engine itself adds to it, mainly outcomes. The rest of the row's 2 MB is for the
 * last page of the journal.
 */
export const STATE_ROW_BYTES_MAX = 1792 * KIB;

// Step cost limits: how much work one input of an execution may cause.

/** The most microsteps (transitions without an event) of one machine step. */
export const MICROSTEPS_MAX = 1_000;
/** The most events that one input may cause: internal events, and buffered events that are replayed. */
export const MACROSTEPS_MAX = 1_000;
/** The most steps of one rule. A step is one operator, operand or list item. */
export const RULE_STEPS_MAX = 250_000;
/**
 * The most cost units that rules, templates and microsteps of one step may use together. A unit is one plain operator
 * of a rule and takes some 50 ns. So a step ends after about a tenth of a second.
 */
export const STEP_WORK_MAX = 1_000_000;
/**
 * If a step exceeds `STEP_WORK_MAX`, its run fails. To handle that failure, the machine may use this many additional
 * cost units.
 */
export const STEP_WORK_SPARE = 100_000;
/** The assumed length of a list whose items are not in the definition. Cost estimates use it. */
export const LIST_ITEMS_ASSUMED = 100;

// Journal limits: the pages in which an execution's journal is stored and read.

/** A page of the journal is closed when it has this size. */
export const JOURNAL_PAGE_BYTES = 16 * KIB;
/** A page of the journal is closed when it has this many entries. */
export const JOURNAL_PAGE_ENTRIES_MAX = 100;
/**
 * The largest row of the journal; the platform limits a row to 2 MB. If a step writes more, its entries are split into
 * several pages.
 */
export const JOURNAL_ROW_BYTES_MAX = 1_000_000;
/** The largest size of the values that a condition read, as its journal entry stores them. */
export const JOURNALED_VALUES_BYTES_MAX = 2 * 1024;
/** If a rule returns an unknown time zone, the journal entry shows at most this many characters of it. */
export const ZONE_SHOWN_CHARS_MAX = 100;
/** The most pages of a reconciler's journal. Older pages are deleted, because a reconciler may run for years. */
export const RECONCILER_PAGES_KEPT = 500;
/**
 * The most journal pages that are read to find the states that a machine has left. Each page has up to a hundred
 * entries.
 */
export const LEFT_STATES_PAGES_MAX = 10;
/** The most journal pages that one request searches for attempts. A cursor continues the search. */
export const HISTORY_PAGES_MAX = 10;

// Event limits: the payload of an event, and how many events an execution buffers until it accepts them.

/** The largest payload of an event. */
export const PAYLOAD_BYTES_MAX = 64 * KIB;
/** The most events that an execution buffers because it is paused, or because no state accepts them yet. */
export const EVENTS_BUFFERED_MAX = 100;
/** The most events that a journey buffers because only a later node accepts them. */
export const JOURNEY_EVENTS_BUFFERED_MAX = 100;
/** The largest total size of the events that a journey buffers because only a later node accepts them. */
export const JOURNEY_EVENTS_BUFFERED_BYTES_MAX = 256 * 1024;

// Task limits: open tasks of an execution, and their reminders.

/** The most open tasks of one execution. Each is stored in the execution's row. */
export const TASKS_OPEN_MAX = 200;
/** The most reminders of one task. */
export const REMINDERS_MAX = 100;
/** The shortest gap between two reminders of a task. */
export const REMINDER_GAP_MS_MIN = 60_000;
/** How many times the engine searches for a canceled task, if it is unknown whether the task was created. */
export const TASK_SEARCHES_MAX = 3;
/**
 * How long after the first delivery the end of a task is sent to its execution again, if the delivery is not confirmed.
 */
export const TASK_UNDELIVERED_MS = 60_000;
/** The most ended tasks whose delivery one sweep repeats. */
export const TASKS_UNDELIVERED_MAX = 500;

// Child limits: depth, number and search times of executions that start others, and of chains of such starts.

/** The longest chain of executions in which each one waits for the end of the next. The first one is not counted. */
export const CHILD_DEPTH_MAX = 16;
/**
 * The longest chain of executions in which each one starts the next without waiting for it. Without this limit such a
 * chain could be endless.
 */
export const RELAYS_MAX = 1_000;
/**
 * If an execution starts another execution only after this time, the length of the chain is counted from 1 again.
 */
export const RELAY_REST_MS = 60 * 60_000;
/** The most open children of one execution. Each is stored in the execution's row. */
export const CHILDREN_OPEN_MAX = 500;
/**
 * A child may still start this long after the deadline of the last attempt to start it, because the clocks of two
 * machines differ.
 */
export const CHILD_START_GRACE_MS = 60_000;
/** How many levels below and above the requested execution a tree contains. */
export const TREE_DEPTH_MAX = 32;
/** The most executions in one page of a tree. Each is read from its own cell. */
export const TREE_PAGE_MAX = 50;
/**
 * The longest cursor of a tree. It contains the path from the requested execution to the last execution of the page.
 */
export const TREE_CURSOR_CHARS_MAX = 4_000;
/** The most waits that a tree lists for each execution. */
export const TREE_WAITS_MAX = 3;

// Correlation key limits: the keys that route published events to executions, and the directory that stores them.

/** The longest correlation key of an execution. */
export const CORRELATION_KEY_CHARS_MAX = 200;
/**
 * The most earlier correlation keys of one execution that the directory may still store. If there are that many,
 * another key is registered later.
 */
export const EARLIER_KEYS_MAX = 10;
/** The number of directory objects of a tenant. Each object handles a few hundred writes per second. */
export const DIRECTORY_OBJECTS = 16;
/**
 * How long the directory stores that a registration was removed. Messages about the registration arrive within this
 * time, so a late one has no effect.
 */
export const REMOVED_KEYS_KEPT_MS = 5 * DAY_MS;

// Idempotency limits: receipts of requests with a key, dedup windows of actions, and stored responses.

/** How long an execution's receipt of a request detects repeats of the request. */
export const RECEIPT_KEPT_MS = 24 * HOUR_MS;
/** The most receipts that an execution stores in full: the latest ones. */
export const RECEIPTS_MAX = 200;
/**
 * The most digests of older receipts, of twelve bytes each. They are contained in every row that the execution writes.
 */
export const OLDER_RECEIPTS_MAX = 10_000;
/** Digests are stored and deleted in groups. All receipts of one group were made within this time. */
export const RECEIPT_GROUP_MS = HOUR_MS;
/** The shortest and the longest window in which a dedup key identifies the same action. */
export const DEDUP_WINDOW_MS_MIN = 1_000;
export const DEDUP_WINDOW_MS_MAX = 30 * 24 * HOUR_MS;
/**
 * How many of the latest actions of a dedup key are compared. One is not enough: the clocks of Workers differ, so the
 * newest id may not be the newest action.
 */
export const DEDUP_LATEST_MAX = 8;
/**
 * If a request has not stored its response this long after it reserved the key, it counts as lost. The next request
 * with the key takes the reservation over.
 */
export const RESPONSE_RESERVED_MS = 60_000;
/** How long a response is stored for repeats with its Idempotency-Key. */
export const RESPONSES_KEPT_MS = 24 * HOUR_MS;

// Restart limits: executions that continue earlier ones and reuse their results.

/**
 * The most journal entries that a restart reads to find reusable results. An execution with a longer history can be
 * restarted only with "repeat": "all".
 */
export const RESTART_ENTRIES_MAX = 5_000;
/** The largest total size of the results that a restart reuses. */
export const RESTART_RESULTS_BYTES_MAX = 256 * 1024;
/** The most results that the answer to a restart lists: the latest ones. */
export const RESTART_RESULTS_LISTED_MAX = 200;

// Projection limits: when the changes of an execution are written to the catalog.

/**
 * How long a cell waits for further changes before it projects, so that several short executions share one message to
 * the catalog.
 */
export const PROJECT_AFTER_MS = 200;
/** The longest delay of the projection of an execution that is busy, or that retries an action within this time. */
export const PROJECT_BUSY_AFTER_MS = 2_000;
/** Projections that are still unsent after this time are sent by an alarm. */
export const PROJECT_WITHIN_MS = 30_000;
/**
 * The size of an isolate's cache of projected runs, which all of its cells share. A run takes some thirty characters.
 */
export const PROJECTED_RUNS_CACHED_CHARS = 4_000_000;
/** What each execution adds to the size of the cache of projected runs, besides its runs. */
export const PROJECTED_RUNS_WEIGHT_MIN = 100;

// Group commit limits: when an input of a cell waits for further inputs, so that one commit stores all of them.

/** If at least this many executions of the cell are active, an input waits `GROUP_COMMIT_MS` for further inputs. */
export const GROUP_COMMIT_FROM = 2;
export const GROUP_COMMIT_MS = 1;
/** An execution counts as active if it had an input within this time. */
export const GROUP_COMMIT_ACTIVE_MS = 2;

// Quarantine limits: executions that cannot be stored or read, and how often a cell checks them.

/** The gaps between checks of a quarantined execution. After the last one, the last gap is repeated. */
export const QUARANTINE_CHECK_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/**
 * How many writes of an execution's state must fail before the execution fails. They count only if its cell can write
 * other executions.
 */
export const UNWRITABLE_TRIES_MAX = 4;
/** The longest reason of a quarantine in lists. */
export const QUARANTINE_REASON_CHARS_MAX = 300;
/** A cell checks the invariants of an execution in the execution's first step, and then in one of this many steps. */
export const INVARIANTS_CHECKED_EVERY_STEPS = 64;

/** The most waits of an execution that the catalog stores, by which lists can be filtered. */
export const WAIT_NAMES_MAX = 16;
