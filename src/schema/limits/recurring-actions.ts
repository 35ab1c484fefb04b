// Recurring action limits: what a recurring action may contain, and how its object dispatches occurrences.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The shortest interval that a tenant's quota can allow. The quota is `recurringPerMinute`. */
export const RECURRING_INTERVAL_MS_MIN = 1_000;
/** The period of the quota `recurringPerMinute`. */
export const RECURRING_MINUTE_MS = MINUTE_MS;
/** The largest payload of a recurring action. It is sent in one message to the catalog. */
export const RECURRING_BYTES_MAX = 64 * 1024;
/** The most labels of a recurring action, and the longest label. */
export const RECURRING_LABELS_MAX = 50;
export const RECURRING_LABEL_CHARS_MAX = 200;
/** The most metadata entries of a recurring action, and the longest entry. */
export const RECURRING_METADATA_MAX = 50;
export const RECURRING_METADATA_CHARS_MAX = 1_000;
/** The longest dedup key of a recurring action. */
export const RECURRING_DEDUP_KEY_CHARS_MAX = 200;
/** The largest `max_executions` of a recurring action: the number of executions after which it ends. */
export const RECURRING_EXECUTIONS_MAX = 1_000_000_000;
/** The longest grace period. An occurrence that is later than its grace period counts as missed. */
export const RECURRING_GRACE_MS_MAX = DAY_MS;
/** The longest period for which a recurring action can catch up on missed occurrences. */
export const RECURRING_CATCH_UP_WINDOW_MS_MAX = 30 * DAY_MS;
/** The longest random delay of an occurrence. */
export const RECURRING_JITTER_MS_MAX = DAY_MS;
/** The most occurrences that a preview shows. */
export const RECURRING_PREVIEW_MAX = 500;
/** The most future occurrences that can be marked to be skipped. */
export const RECURRING_SKIPS_MAX = 100;
/** How many times an update is repeated because another update was stored first. */
export const RECURRING_UPDATE_TRIES_MAX = 25;
/** How many occurrences of a schedule are compared with the quota: the shortest gap between them counts. */
export const RECURRING_GAPS_COMPARED = 100;
/** The number of next occurrences in the answer to a create or update. */
export const RECURRING_NEXT_SHOWN = 5;

/** The most missed occurrences that are caught up on after a downtime: the newest ones. */
export const RECURRING_CAUGHT_UP_MAX = 100;
/** Missed or paused occurrences are counted only up to this number, because counting those of a year would be slow. */
export const RECURRING_COUNTED_MAX = 1_000;
/** The most occurrences in one call of the object to the Worker. */
export const RECURRING_SLICE_MAX = 10;
/** The most dispatches in progress. If there are more, the object gives up the oldest. */
export const RECURRING_PENDING_MAX = 200;
/**
 * The most started executions that the object stores. It needs them to check whether an earlier execution still runs.
 */
export const RECURRING_LIVE_MAX = 20;
/** How many of the latest started occurrences the object stores, and the API shows with their outcomes. */
export const RECURRING_RECENT_MAX = 30;
/** How many runs of a started execution are searched for an open dead letter, which makes its outcome `failed`. */
export const RECURRING_RUNS_CHECKED = 20;
/**
 * If the catalog has no row of an execution this long after its start, the row was deleted, and its outcome is unknown.
 */
export const RECURRING_UNLISTED_MS = 60 * MINUTE_MS;
/** The lateness of an occurrence counts in whole seconds, because an alarm is always some milliseconds late. */
export const RECURRING_LATENESS_UNIT_MS = 1_000;
/** When the guard alarm fires. It wakes the object if the object was evicted during a dispatch. */
export const RECURRING_GUARD_MS = 30_000;
/**
 * After this time the object repeats a call to the Worker that got no answer. It is shorter than the time of the guard
 * alarm.
 */
export const RECURRING_CALL_MS = 20_000;
/** The most steps of one alarm. The remaining steps follow in the next alarm. */
export const RECURRING_STEPS_PER_ALARM_MAX = 50;
/** The wait between repeated dispatches of an occurrence: the first one, and the longest one. It doubles each time. */
export const RECURRING_BACKOFF_MS = { first: 1_000, most: 60_000 } as const;
/** After this many failed checks whether an earlier execution still runs, the execution counts as running. */
export const RECURRING_CHECKS_FAILED_MAX = 4;
/** How long a refused dispatch is repeated at least, even without a grace period. */
export const RECURRING_TRIED_MS_MIN = 60_000;
/**
 * How long a refused dispatch is repeated at most. During this time the receipt of a started execution still detects
 * the repeats.
 */
export const RECURRING_TRIED_MS_MAX = 12 * 60 * 60_000;
/** If the alarm of a recurring action is late by this much, the alarm was lost or the object has failed. */
export const RECURRING_STALE_MS = 2 * 60_000;
/** How long occurrences stay in the history. */
export const RECURRING_HISTORY_MS = 7 * DAY_MS;
/** The most occurrences in the history. */
export const RECURRING_HISTORY_ROWS_MAX = 10_000;
/** How many history rows one commit deletes. A commit adds fewer rows, so the history does not grow. */
export const RECURRING_PURGED_ROWS = 20;
/** The most receipts of requests with a key that the object stores. */
export const RECURRING_RECEIPTS_MAX = 50;
/** How long after a failed projection the object repeats it. */
export const RECURRING_PROJECTION_RETRY_MS = 30_000;
/**
 * How long the row of a deleted recurring action is stored. During this time no other recurring action can use its key,
 * and its counters can be read.
 */
export const RECURRING_DELETED_KEPT_MS = 7 * DAY_MS;
/** The longest shown message of a dispatch error. */
export const RECURRING_ERROR_CHARS_MAX = 500;
