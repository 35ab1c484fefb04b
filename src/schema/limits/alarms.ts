// Alarm limits: when an object's alarm is armed, moved and repaired.

/** An alarm is armed this long before its work is due, so that the object is awake and has loaded its rows in time. */
export const ALARM_AHEAD_MS = 50;
/** An alarm that fires at most this much too early waits for its work, because arming it again would cost a row. */
export const ALARM_EARLY_MS_MAX = 80;
/** A failed wake is repeated after this time. */
export const ALARM_RETRY_AFTER_MS = 30_000;
/** An alarm that is overdue by more than this is lost: the platform does not fire it any more. */
export const ALARM_LOST_AFTER_MS = 60_000;
/** The longest time for which one alarm is set. A later instant is reached by several alarms in a row. */
export const ALARM_HOP_MS_MAX = 90 * 24 * 60 * 60_000;
/** Work that is due within this time starts from memory, because an object lives at least this long after its last work. */
export const DUE_IN_MEMORY_MS_MAX = 2_000;
/** The fallback alarm for work in memory is set this much later than the work, in case the memory is lost. */
export const FALLBACK_ALARM_LATER_MS = 1_000;
/** A fallback alarm that is at most this much later than the work is not moved. */
export const FALLBACK_ALARM_LATER_MS_MAX = 2_000;
/** A wake that its own tick did not handle is a bug and would loop. The cell repeats such a wake only after this time. */
export const UNHANDLED_WAKE_RETRY_MS = 60_000;
/** An object with unreadable rows tries again after this time, because a repaired version may be deployed. */
export const OBJECT_UNREADABLE_RETRY_MS = 5 * 60_000;
/** An object's call to the Worker without an answer by then counts as failed. The platform stops an alarm after 15 minutes. */
export const OBJECT_CALL_MS = 5 * 60_000;
