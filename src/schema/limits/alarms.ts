// Alarm limits: when an object's alarm is armed, moved and repaired.

/** An alarm is set this long before its work is due, so that the object has started and loaded its rows in time. */
export const ALARM_AHEAD_MS = 50;
/**
 * If an alarm fires at most this much before its work is due, the object waits in memory. Setting the alarm again would
 * cost a row.
 */
export const ALARM_EARLY_MS_MAX = 80;
/** A failed wake is repeated after this time. */
export const ALARM_RETRY_AFTER_MS = 30_000;
/** An alarm that is overdue by more than this is lost: the platform will not fire it. */
export const ALARM_LOST_AFTER_MS = 60_000;
/** The longest time for which one alarm is set. For a later instant the object sets another alarm each time. */
export const ALARM_HOP_MS_MAX = 90 * 24 * 60 * 60_000;
/**
 * Work that is due within this time starts from memory, without waiting for an alarm. After its last work an object
 * stays in memory at least this long.
 */
export const DUE_IN_MEMORY_MS_MAX = 2_000;
/**
 * Work in memory has a fallback alarm this much later than the work, for the case that the object is evicted before.
 */
export const FALLBACK_ALARM_LATER_MS = 1_000;
/** A fallback alarm that is at most this much later than the work is not moved. */
export const FALLBACK_ALARM_LATER_MS_MAX = 2_000;
/**
 * A wake that changed nothing although work was due is a bug, and would repeat endlessly. The cell repeats it only
 * after this time.
 */
export const UNHANDLED_WAKE_RETRY_MS = 60_000;
/**
 * An object with unreadable rows tries to read them again after this time, because an operator may have deployed a
 * repaired version.
 */
export const OBJECT_UNREADABLE_RETRY_MS = 5 * 60_000;
/** A call of an object to the Worker counts as failed after this time. The platform stops an alarm after 15 minutes. */
export const OBJECT_CALL_MS = 5 * 60_000;
