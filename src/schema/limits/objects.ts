// Cell limits: what a cell waits for, groups and caches.

/** From this many active executions on, an input waits `GROUP_MS` for others, so that one commit serves all. */
export const GROUP_FROM = 2;
export const GROUP_MS = 1;
/** Executions with input this recently count as active. */
export const GROUP_LATELY_MS = 2;
/** Runs of a cell that are executed in one invocation: the platform lets it wait for six answers at once. */
export const FLIGHTS_TOGETHER_MAX = 6;
/** How long a completed run waits for the others of its invocation. */
export const FLIGHTS_LAND_MS = 1;
/** Gaps between repeated applications of an outcome that could not be stored, or that failed because of a bug. */
export const LANDING_GAPS_MS = [1_000, 5_000, 20_000, 60_000] as const;
/** Executions that a log line names for one fault; the line counts them all. */
export const FAILED_ITEMS_LOGGED_MAX = 10;
/** Executions woken in one turn, at first and at least; the rest follow at once, each slice with its own commit. */
export const DUE_SLICE_EXECUTIONS = 50;
/** The next slice is as large as this time allows, judged by the one before, */
export const DUE_SLICE_MS = 200;
/** but not larger than this, */
export const DUE_SLICE_EXECUTIONS_MAX = 1_000;
/** and its total text is at most this. A larger execution is alone. */
export const DUE_SLICE_CHARACTERS_MAX = 4_000_000;
/** How long due executions wait for a direct slot; then they and the rest use the queue. */
export const DUE_LINE_MS_MAX = 1_000;
/** Alarms are armed this much in advance: the object is then awake, and has loaded what it needs. */
export const ALARM_AHEAD_MS = 50;
/** An alarm that fires at most this much too early waits for its work: arming it again would cost a row. */
export const DUE_EARLY_MS_MAX = 80;
/** A wake that its own tick did not handle would loop. That is a bug; until it is fixed, it is checked rarely. */
export const SPIN_GUARD_MS = 60_000;
/** Gaps between checks of a quarantined execution; the last one repeats. */
export const QUARANTINE_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** How many times an execution's changes cannot be stored, while others' can, before it fails. */
export const UNWRITABLE_LOOKS_MAX = 4;
/** The longest message of a fault in lists. */
export const QUARANTINE_REASON_CHARS_MAX = 300;

/** Work due this soon is started from memory, because an object lives at least this long after its last work. */
export const NEAR_MS_MAX = 2_000;
/** The fallback alarm is this much later, in case memory is lost; and does not move while it is that close. */
export const NEAR_ALARM_LATER_MS = 1_000;
export const NEAR_ALARM_LATER_MS_MAX = 2_000;

/** A failed wake is repeated after this. */
export const ALARM_RETRY_AFTER_MS = 30_000;
/** An alarm in the past by more than this was lost: the platform does not fire it. */
export const ALARM_LOST_AFTER_MS = 60_000;
/** How far ahead an alarm is set; an instant further away is reached by several alarms. */
export const ALARM_HOP_MS_MAX = 90 * 24 * 60 * 60_000;
/** An object whose rows cannot be read tries again after this, for a repaired version may be deployed. */
export const OBJECT_UNREADABLE_RETRY_MS = 5 * 60_000;
/** A call of an object to the Worker that is not answered by then counts as failed; an alarm may take 15 minutes. */
export const OBJECT_CALL_MS = 5 * 60_000;

/** How long a cell's cached suspension is used. */
export const SUSPENSION_KNOWN_MS = 5_000;
/**
 * How long "active" from another cell of the isolate is used: many timers of a tenant are due at about the same time.
 */
export const SUSPENSION_SHARED_MS = 1_000;
/** With due work of a suspended tenant, a cell checks again after this fraction of the time since the suspension. */
export const SUSPENDED_LOOK_PART = 4;
export const SUSPENDED_LOOK_MS_MIN = 60_000;
export const SUSPENDED_LOOK_MS_MAX = 60 * 60_000;

/** Several short executions of a cell share one message to the catalog. */
export const PROJECT_AFTER_MS = 200;
/** While projections are unsent, the alarm fires at the latest after this. */
export const PROJECT_WITHIN_MS = 30_000;

/** One step's journal entries may exceed the platform's 2 MB for a row: then they fill several pages. */
export const JOURNAL_ROW_BYTES_MAX = 1_000_000;

/** An isolate's cache of projected runs, all its cells together: some thirty characters per run. */
export const TOLD_RUNS_CHARACTERS = 4_000_000;
/** The minimum weight of an execution with such runs. */
export const TOLD_RUNS_CHARACTERS_LEAST = 100;

/**
 * Parsed heads cached by an isolate, all its cells together, as text; parsed they need some three times that, of 128
 * MB.
 */
export const HEADS_CACHED_CHARACTERS = 8_000_000;
/** The minimum weight of a head. */
export const HEAD_CHARACTERS_LEAST = 4_000;
/** Compiled definitions cached by an isolate, as text: versions are immutable, so each is compiled once. */
export const PROGRAMS_CACHED_CHARACTERS = 2_000_000;
/** The minimum weight of one. */
export const PROGRAM_CHARACTERS_LEAST = 4_000;
/**
 * The latest actions under a dedup key decide. More than one, because Workers' clocks differ and a start may wait: ids
 * are nearly in order.
 */
export const DEDUP_LATEST_MAX = 8;
/** Packed definitions cached by an isolate for new objects, as text. */
export const DEFINITIONS_PACKED_CHARACTERS = 500_000;
/** A subscriber costs memory in the object; this many already serve a large dashboard. */
export const LIVE_LISTENERS_MAX = 100;
/** A subscriber must reconnect after this, so that no socket stays open forever. */
export const LIVE_MS_MAX = 60 * 60_000;
/** How long a subscriber gets entries without a check of its key; no longer than isolates cache a key. */
export const LIVE_CHECK_MS = 30_000;
/** How long entries wait for that check. */
export const LIVE_CHECK_WAIT_MS = 5_000;

/** An object checks invariants in its first step, and in one of this many later steps. */
export const INSPECTED_EVERY_STEPS = 64;

/** Stored versions whose presence a cell caches. */
export const DEFINITIONS_KNOWN_MAX = 500;
