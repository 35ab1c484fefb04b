// Recurring actions: their limits, and the waits and sizes of their objects.
import { CRON_CHARS_MAX } from "./kernel.ts";

/** The minimum for every tenant's limit; the default is a quota. */
export const RECURRING_INTERVAL_MS_MIN = 1_000;
/** The period of a per-minute limit. */
export const RECURRING_MINUTE_MS = 60_000;
/** How often an update is repeated after concurrent ones. */
export const RECURRING_UPDATE_TRIES_MAX = 5;
/** Occurrences compared for the shortest gap between two. */
export const RECURRING_GAPS_LOOKED_AT = 100;

export const recurringLimits = {
  cronCharsMax: CRON_CHARS_MAX,
  labelsMax: 50,
  labelCharsMax: 200,
  metadataMax: 50,
  metadataCharsMax: 1_000,
  dedupKeyCharsMax: 200,
  executionsMax: 1_000_000_000,
  graceMsMax: 24 * 60 * 60_000,
  catchUpWindowMsMax: 30 * 24 * 60 * 60_000,
  jitterMsMax: 24 * 60 * 60_000,
  /** Occurrences that a preview shows. */
  previewMax: 500,
  /** Future occurrences marked to be skipped. */
  skipsMax: 100,
} as const;

/** The number of next occurrences in the answer to a create or update. */
export const RECURRING_NEXT_SHOWN = 5;
/** After any downtime, at most this many are caught up on, the newest of them. */
export const RECURRING_CAUGHT_UP_MAX = 100;
/** Missed or paused ones are counted up to this number, because a year of them would be slow. */
export const RECURRING_COUNTED_MAX = 1_000;
/** Occurrences sent to the Worker in one call. */
export const RECURRING_SLICE_MAX = 10;
/** Occurrences in progress at once; beyond that the oldest is given up. */
export const RECURRING_PENDING_MAX = 200;
/** Executions stored to check whether one still runs. */
export const RECURRING_LIVE_MAX = 20;
/** Wakes the object again if it is lost in the middle of a dispatch. */
export const RECURRING_GUARD_MS = 30_000;
/** A call to the Worker without an answer by then is repeated: before the guard wakes the object. */
export const RECURRING_CALL_MS = 20_000;
/** More steps follow in the next alarm. */
export const RECURRING_STEPS_PER_ALARM_MAX = 50;
/** The waits between repeated dispatches. */
export const RECURRING_BACKOFF_MS = { first: 1_000, most: 60_000 } as const;
/** How often a check whether the previous one still runs may fail; then it counts as running. */
export const RECURRING_LOOKS_FAILED_MAX = 4;
/** A refused dispatch is repeated for at least this long, even without a grace period. */
export const RECURRING_TRIED_MS_MIN = 60_000;
/** And no longer: a repeat must still be detected by then. */
export const RECURRING_TRIED_MS_MAX = 12 * 60 * 60_000;
/** An alarm this late was lost, or its object cannot work. */
export const RECURRING_STALE_MS = 2 * 60_000;
/** How long occurrences stay in the history, and how many. */
export const RECURRING_HISTORY_MS = 7 * 24 * 60 * 60_000;
export const RECURRING_HISTORY_ROWS_MAX = 10_000;
/** Deleted in one commit: more than one adds. */
export const RECURRING_PURGED_ROWS = 20;
/** Receipts stored by key. */
export const RECURRING_RECEIPTS_MAX = 50;
/** A failed projection is repeated after this. */
export const RECURRING_TELL_AGAIN_MS = 30_000;
/** How long a deleted one's row stays, so that its key is known and its counters can be added up. */
export const RECURRING_DELETED_KEPT_MS = 7 * 24 * 60 * 60_000;
/** The longest shown message of a dispatch error. */
export const RECURRING_ERROR_CHARS_MAX = 500;
