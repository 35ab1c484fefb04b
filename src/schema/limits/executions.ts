// Limits of one execution: its state, its journal, and what it buffers, keeps and waits for.
const KIB = 1024;
const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

// State size limits: what an execution stores in its row. The platform limits a row to 2 MB.

/** The largest size of an execution's variables as JSON. */
export const VARIABLES_BYTES_MAX = 256 * KIB;
/** The largest config of a run. */
export const CONFIG_BYTES_MAX = 128 * KIB;
/** The largest state of an execution, with variables, unfinished runs and configs. */
export const STATE_BYTES_MAX = 1536 * KIB;
/**
 * The largest state including the engine's own additions, mainly outcomes. The rest of the row's 2 MB is for the
 * journal's last page.
 */
export const STATE_ROW_BYTES_MAX = 1792 * KIB;

// Step cost limits: how much work one input of an execution may cause.

/** The most microsteps (transitions without an event) of one machine step. */
export const MICROSTEPS_MAX = 1_000;
/** The most buffered and internal events that follow from one input. */
export const MACROSTEPS_MAX = 1_000;
/** The most steps of one rule. A step is one operator, operand or list item. */
export const RULE_STEPS_MAX = 250_000;
/**
 * The most cost units of one step: rules, templates and microsteps together. A unit is one plain operator of a rule and
 * takes some 50 ns. A step therefore ends after about a tenth of a second.
 */
export const STEP_WORK_MAX = 1_000_000;
/**
 * If a step exceeds `STEP_WORK_MAX`, its run fails. The machine may use this many further cost units to handle the
 * failure.
 */
export const STEP_WORK_SPARE = 100_000;
/** The assumed length of a list whose items the definition does not contain. Cost estimates use this length. */
export const LIST_ITEMS_ASSUMED = 100;

// Journal limits: the pages in which an execution's journal is stored and read.

/** A page of the journal is closed at this size. */
export const JOURNAL_PAGE_BYTES = 16 * KIB;
/** A page of the journal is closed at this number of entries. */
export const JOURNAL_PAGE_ENTRIES_MAX = 100;
/**
 * The largest journal row, because the platform limits a row to 2 MB. The entries of a long step are split into several
 * pages.
 */
export const JOURNAL_ROW_BYTES_MAX = 1_000_000;
/** The largest size of the values that a condition read, as stored in its journal entry. */
export const JOURNALED_VALUES_BYTES_MAX = 2 * 1024;
/** The longest time zone of a rule that a journal entry shows. */
export const ZONE_SHOWN_CHARS_MAX = 100;
/** The most pages of a reconciler's journal. Older pages are deleted, because a reconciler may run for years. */
export const RECONCILER_PAGES_KEPT = 500;
/** The most journal pages that are read to find the states that a machine has left. A page has a hundred entries. */
export const LEFT_STATES_PAGES_MAX = 10;
/** The most journal pages that one request searches for attempts. A cursor continues the search. */
export const HISTORY_PAGES_MAX = 10;

// Event limits: the payload of an event, and how many events an execution buffers until a state or node accepts them.

/** The largest payload of an event. */
export const PAYLOAD_BYTES_MAX = 64 * KIB;
/** The most events that an execution buffers while it is paused or no state accepts them. */
export const EVENTS_BUFFERED_MAX = 100;
/** The most events that a journey buffers because only a later node accepts them. */
export const JOURNEY_EVENTS_BUFFERED_MAX = 100;
/** The largest total size of the events that a journey buffers because only a later node accepts them. */
export const JOURNEY_EVENTS_BUFFERED_BYTES_MAX = 256 * 1024;

// Task limits: open tasks of an execution, and their reminders.

/** The most open tasks of one execution: each is stored in the execution's row. */
export const TASKS_OPEN_MAX = 200;
/** The most reminders of one task. */
export const REMINDERS_MAX = 100;
/** The shortest gap between two reminders of a task. */
export const REMINDER_GAP_MS_MIN = 60_000;
/** How many times the engine searches for a canceled task if it is unknown whether the task was created. */
export const TASK_SEARCHES_MAX = 3;
/** The end of a task is sent to its execution again after this time, if the first delivery is not confirmed. */
export const TASK_UNDELIVERED_MS = 60_000;
/** The most ended tasks that one sweep sends again. */
export const TASKS_UNDELIVERED_MAX = 500;

// Child limits: depth, number and search times of executions that start or continue other executions.

/**
 * The longest chain of executions in which each waits for the end of the next. The outermost execution is not counted.
 */
export const CHILD_DEPTH_MAX = 16;
/**
 * The longest chain of executions in which each starts the next without waiting for it. The limit ends an endless
 * chain.
 */
export const RELAYS_MAX = 1_000;
/** If an execution lives this long before it starts the next one, the count for `RELAYS_MAX` begins again. */
export const RELAY_REST_MS = 60 * 60_000;
/** The most open children of one execution: each is stored in the execution's row. */
export const CHILDREN_OPEN_MAX = 500;
/** A start is refused this long after its attempt's deadline. The addition covers the difference between clocks. */
export const CHILD_START_GRACE_MS = 60_000;
/** How many levels below and above the requested execution a tree contains. */
export const TREE_DEPTH_MAX = 32;
/** The most executions in one page of a tree: each is read from its own cell. */
export const TREE_PAGE_MAX = 50;
/**
 * The longest cursor of a tree. The cursor contains the path from the requested execution to the page's last execution.
 */
export const TREE_CURSOR_CHARS_MAX = 4_000;
/** The most waits listed per execution of a tree. */
export const TREE_WAITS_MAX = 3;

// Correlation key limits: the keys that route published events to executions, and the directory that stores them.

/** The longest correlation key of an execution. */
export const CORRELATION_KEY_CHARS_MAX = 200;
/**
 * The most earlier correlation keys of one execution that the directory may still have. If the limit is reached, a
 * further key is registered later.
 */
export const EARLIER_KEYS_MAX = 10;
/** The number of directory objects of a tenant. Each handles a few hundred writes per second. */
export const DIRECTORY_OBJECTS = 16;
/**
 * How long the directory keeps a removed registration. A message about the registration is in transit for less than
 * this time.
 */
export const REMOVED_KEYS_KEPT_MS = 5 * DAY_MS;

// Idempotency limits: receipts of requests with a key, dedup windows of actions, and stored responses.

/** How long an execution's receipt detects a repeat of the request. */
export const RECEIPT_KEPT_MS = 24 * HOUR_MS;
/** The most receipts that an execution stores in full: the latest ones. */
export const RECEIPTS_MAX = 200;
/** The most digests of older receipts, twelve bytes each. Every row that the execution writes contains all of them. */
export const OLDER_RECEIPTS_MAX = 10_000;
/** Digests are deleted in groups that cover this time, because each group stores one instant. */
export const RECEIPT_GROUP_MS = HOUR_MS;
/** The shortest and the longest window in which a dedup key identifies the same action. */
export const DEDUP_WINDOW_MS_MIN = 1_000;
export const DEDUP_WINDOW_MS_MAX = 30 * 24 * HOUR_MS;
/**
 * The number of latest actions that are compared for a dedup key. One is not enough: Workers' clocks differ, so ids are
 * only nearly in order.
 */
export const DEDUP_LATEST_MAX = 8;
/**
 * If no response is stored this long after its reservation, the request was lost. The next request with the key
 * replaces the reservation.
 */
export const RESPONSE_RESERVED_MS = 60_000;
/** How long a response is stored by its Idempotency-Key. */
export const RESPONSES_KEPT_MS = 24 * HOUR_MS;

// Restart limits: executions that are started again and reuse results of an earlier execution.

/**
 * The most journal entries that a restart reads to collect results. An execution with a longer history can only be
 * restarted with "repeat": "all".
 */
export const RESTART_ENTRIES_MAX = 5_000;
/** The total size of the reused results. */
export const RESTART_RESULTS_BYTES_MAX = 256 * 1024;
/** The most results that the answer lists: the latest ones. */
export const RESTART_RESULTS_LISTED_MAX = 200;

// Projection limits: when an execution's changes are written to the lists of the catalog.

/** How long a cell waits for more changes, so that several short executions share one message to the catalog. */
export const PROJECT_AFTER_MS = 200;
/**
 * The longest delay of a projection. It applies to an execution that is busy, or that retries an action within this
 * time.
 */
export const PROJECT_BUSY_AFTER_MS = 2_000;
/** An alarm sends projections that are still unsent after this time. */
export const PROJECT_WITHIN_MS = 30_000;
/** The size of an isolate's cache of projected runs, for all of its cells: some thirty characters per run. */
export const PROJECTED_RUNS_CACHED_CHARS = 4_000_000;
/** The smallest weight of an execution in the cache of projected runs. */
export const PROJECTED_RUNS_WEIGHT_MIN = 100;

// Group commit limits: when an input of a cell waits for other inputs, so that one commit stores all of them.

/** If at least this many executions are active, an input waits `GROUP_COMMIT_MS` for other inputs. */
export const GROUP_COMMIT_FROM = 2;
export const GROUP_COMMIT_MS = 1;
/** An execution counts as active if it had an input within this time. */
export const GROUP_COMMIT_ACTIVE_MS = 2;

// Quarantine limits: executions that cannot be stored or read, and how often a cell checks them.

/** Gaps between checks of a quarantined execution. The last gap repeats. */
export const QUARANTINE_CHECK_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** After this many failed writes an execution fails, if other executions of its cell can be written. */
export const UNWRITABLE_TRIES_MAX = 4;
/** The longest reason of a quarantine in lists. */
export const QUARANTINE_REASON_CHARS_MAX = 300;
/** A cell checks an execution's invariants in the first step, and in one of this many later steps. */
export const INVARIANTS_CHECKED_EVERY_STEPS = 64;
