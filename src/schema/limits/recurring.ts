// What recurring work may ask for, and what its objects wait for and keep.
import { CRON_CHARS_MAX } from "./kernel.ts";

/** No tenant's limit goes below; what it is where nobody says otherwise is a quota. */
export const RECURRING_INTERVAL_MS_MIN = 1_000;
/** What a limit of so many in a minute is counted over. */
export const RECURRING_MINUTE_MS = 60_000;
/** An update that others overtake is made anew so often. */
export const RECURRING_UPDATE_TRIES_MAX = 5;
/** So many occurrences are looked at for the shortest gap between two. */
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
  /** Coming occurrences that are told to be skipped. */
  skipsMax: 100,
} as const;

/** Those of a create or an update answer. */
export const RECURRING_NEXT_SHOWN = 5;
/** However long it was away, no more than this many are caught up with, the newest of them. */
export const RECURRING_CAUGHT_UP_MAX = 100;
/** What was missed or paused is counted up to here: nobody walks through a year. */
export const RECURRING_COUNTED_MAX = 1_000;
/** Occurrences handed to the Worker in one call. */
export const RECURRING_SLICE_MAX = 10;
/** Occurrences on their way at once; the oldest of more is given up. */
export const RECURRING_PENDING_MAX = 200;
/** Executions remembered for whether one still runs. */
export const RECURRING_LIVE_MAX = 20;
/** Should an object go down with occurrences in its hands, it wakes again after this. */
export const RECURRING_GUARD_MS = 30_000;
/** A call to the Worker that is not answered by then is made again: before the guard wakes the object. */
export const RECURRING_CALL_MS = 20_000;
/** More steps go on with the next alarm. */
export const RECURRING_STEPS_PER_ALARM_MAX = 50;
/** Longer than this no object has to be told to wait: a dispatch that was not taken is tried again after it at most. */
export const RECURRING_BACKOFF_MS = { first: 1_000, most: 60_000 } as const;
/** Whether the one before still runs is asked so often in vain; then it is taken to be running. */
export const RECURRING_LOOKS_FAILED_MAX = 4;
/** Even with no grace at all, a dispatch that was not taken is tried for so long. */
export const RECURRING_TRIED_MS_MIN = 60_000;
/** And no longer: what was taken at the first try must still be known as the same by then. */
export const RECURRING_TRIED_MS_MAX = 12 * 60 * 60_000;
/** An alarm so late was lost, or its object cannot work. */
export const RECURRING_STALE_MS = 2 * 60_000;
/** How long occurrences stay in the history, and how many of them. */
export const RECURRING_HISTORY_MS = 7 * 24 * 60 * 60_000;
export const RECURRING_HISTORY_ROWS_MAX = 10_000;
/** Let go of in one commit: more than one brings. */
export const RECURRING_PURGED_ROWS = 20;
/** Requests remembered by their key. */
export const RECURRING_RECEIPTS_MAX = 50;
/** An object that could not tell the catalog tells it again after this. */
export const RECURRING_TELL_AGAIN_MS = 30_000;
/** How long the row of a deleted one stays, so that its key is known and what it counted can be added up. */
export const RECURRING_DELETED_KEPT_MS = 7 * 24 * 60 * 60_000;
/** Of what could not be dispatched, as people are shown it. */
export const RECURRING_ERROR_CHARS_MAX = 500;
