// What a cell waits for, puts together and keeps.

/** With so much going on at once in a cell, inputs wait this long for each other: one commit serves all. */
export const GROUP_FROM = 2;
export const GROUP_MS = 1;
/** What came this long ago counts as going on. */
export const GROUP_LATELY_MS = 2;
/** So many runs that leave a cell together are carried out in one invocation: the platform lets it wait for six answers at once. */
export const FLIGHTS_TOGETHER_MAX = 6;
/** Who has landed waits so long for the others of its invocation. */
export const FLIGHTS_LAND_MS = 1;
/** An outcome that could not be taken, because the store did not write or we made a mistake, is tried again after these. */
export const LANDING_GAPS_MS = [1_000, 5_000, 20_000, 60_000] as const;
/** How many executions a log line names that one fault has hit; the line counts them all. */
export const FAILED_ITEMS_LOGGED_MAX = 10;
/** Executions woken in one turn, at first and at least; the rest follow at once, each slice with a commit of its own. */
export const DUE_SLICE_EXECUTIONS = 50;
/** The next slice is as large as is done in this time, going by the one before, */
export const DUE_SLICE_MS = 200;
/** but not larger than this, */
export const DUE_SLICE_EXECUTIONS_MAX = 1_000;
/** and what is in it holds no more than this, as text. One that is larger is alone. */
export const DUE_SLICE_CHARACTERS_MAX = 4_000_000;
/** What is due and finds no place in flight waits so long for one to be free; then it goes by queue, and so does the rest. */
export const DUE_LINE_MS_MAX = 1_000;
/** Alarms are armed so much ahead of what they are for: the object is awake by then, and knows what it has to know. */
export const ALARM_AHEAD_MS = 50;
/** An alarm that goes off so much too early waits for what it is for: to arm it again would cost a row. */
export const DUE_EARLY_MS_MAX = 80;
/** A wake that its own tick did not take care of would spin. It is a bug; until it is mended it is looked at rarely. */
export const SPIN_GUARD_MS = 60_000;
/** What stands apart in its cell is looked at again after these gaps; the last one goes on. */
export const QUARANTINE_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** So often, gap after gap, an execution's changes could not be stored though others' could: then it fails. */
export const UNWRITABLE_LOOKS_MAX = 4;
/** Of what a fault says, as people are shown it. */
export const QUARANTINE_REASON_CHARS_MAX = 300;

/** What is due so soon is met from memory, where an object certainly lives that long after what it did last. */
export const NEAR_MS_MAX = 2_000;
/** The alarm stands that much behind it, should the memory be gone by then; and is not moved while it stands as near as that. */
export const NEAR_ALARM_LATER_MS = 1_000;
export const NEAR_ALARM_LATER_MS_MAX = 2_000;

/** When waking went wrong, it is tried again after this. */
export const ALARM_RETRY_AFTER_MS = 30_000;
/** An alarm in the past by more than this was lost: the platform does not fire it any more. */
export const ALARM_LOST_AFTER_MS = 60_000;
/** How far ahead an alarm is set; an instant further away is reached by several alarms. */
export const ALARM_HOP_MS_MAX = 90 * 24 * 60 * 60_000;
/** An object whose rows cannot be read tries again after this, for a repaired version may be deployed. */
export const OBJECT_UNREADABLE_RETRY_MS = 5 * 60_000;
/** A call of an object to the Worker that is not answered by then counts as failed; an alarm may take 15 minutes. */
export const OBJECT_CALL_MS = 5 * 60_000;

/** A cell's knowledge of whether its tenant is suspended is believed for so long. */
export const SUSPENSION_KNOWN_MS = 5_000;
/** That a tenant goes on, as another cell of the isolate has heard: many timers of a tenant are due at about the same time. */
export const SUSPENSION_SHARED_MS = 1_000;
/** With due work of a suspended tenant, a cell looks again after this part of the time it has been suspended. */
export const SUSPENDED_LOOK_PART = 4;
export const SUSPENDED_LOOK_MS_MIN = 60_000;
export const SUSPENDED_LOOK_MS_MAX = 60 * 60_000;

/** Several short executions of a cell share one message to the catalog. */
export const PROJECT_AFTER_MS = 200;
/** While the catalog is behind, the alarm comes back at the latest after this. */
export const PROJECT_WITHIN_MS = 30_000;

/** What one step adds to a journal may be more than the platform's 2 MB of a row: then it fills several pages. */
export const JOURNAL_ROW_BYTES_MAX = 1_000_000;

/** What an isolate remembers of finished runs that the catalog has, all its cells together: some thirty characters of each run. */
export const TOLD_RUNS_CHARACTERS = 4_000_000;
/** What an execution with such runs is reckoned as besides. */
export const TOLD_RUNS_CHARACTERS_LEAST = 100;

/** Heads that an isolate keeps parsed, all its cells together, as text; parsed they are some three times that, of 128 MB. */
export const HEADS_CACHED_CHARACTERS = 8_000_000;
/** What a head is reckoned as at least. */
export const HEAD_CHARACTERS_LEAST = 4_000;
/** Compiled definitions that an isolate keeps, as text: they are immutable, so a version is compiled once. */
export const PROGRAMS_CACHED_CHARACTERS = 2_000_000;
/** What one is reckoned as at least. */
export const PROGRAM_CHARACTERS_LEAST = 4_000;
/**
 * The latest actions under a dedup key decide. More than one, because Workers' clocks differ and a start may wait: ids
 * are nearly in order.
 */
export const DEDUP_LATEST_MAX = 8;
/** Definitions that an isolate keeps packed for the objects that are still to come, as text. */
export const DEFINITIONS_PACKED_CHARACTERS = 500_000;
/** A listener costs memory in the object; this many is already a dashboard wall. */
export const LIVE_LISTENERS_MAX = 100;
/** A listener connects again after this: nobody is forgotten with a socket open. */
export const LIVE_MS_MAX = 60 * 60_000;
/** So long a listener is sent entries without its key being asked after; no longer than isolates believe a key. */
export const LIVE_CHECK_MS = 30_000;
/** Entries wait so long for that answer. */
export const LIVE_CHECK_WAIT_MS = 5_000;

/** Of the steps an object makes one in so many is held against what must always be true, the first among them. */
export const INSPECTED_EVERY_STEPS = 64;

/** Versions that a cell knows to keep without looking. */
export const DEFINITIONS_KNOWN_MAX = 500;
