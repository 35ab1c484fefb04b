// Alarm limits: when an object's alarm is armed, moved and repaired.

/** How long before its work is due an alarm is set. Within this time the object starts and loads its rows. */
export const ALARM_AHEAD_MS = 50;
/**
 * If an alarm fires at most this long before its work is due, the object waits in memory. Otherwise it sets the alarm
 * again, which costs a row.
 */
export const ALARM_EARLY_MS_MAX = 80;
/** How long after a failed wake the wake is repeated. */
export const ALARM_RETRY_AFTER_MS = 30_000;
/** An alarm that is overdue by more than this counts as lost. The platform will not fire it. */
export const ALARM_LOST_AFTER_MS = 60_000;
/** The longest time for which one alarm is set. For later work, the object wakes and sets another alarm. */
export const ALARM_HOP_MS_MAX = 90 * 24 * 60 * 60_000;
/**
 * Work that is due within this time is started by a timer in memory, without an alarm. An object stays in memory at
 * least this long after its last work.
 */
export const DUE_IN_MEMORY_MS_MAX = 2_000;
/**
 * How much later than work in memory its fallback alarm is set. The alarm is needed if the object is evicted before the
 * work is due.
 */
export const FALLBACK_ALARM_LATER_MS = 1_000;
/** A fallback alarm is not moved if it is at most this much later than the work. */
export const FALLBACK_ALARM_LATER_MS_MAX = 2_000;
/**
 * If a wake changed nothing although work was due, a bug is the cause, and wakes would repeat endlessly. So the cell
 * repeats such a wake only after this time.
 */
export const UNHANDLED_WAKE_RETRY_MS = 60_000;
/**
 * How long an object with unreadable rows waits before it reads them again. By then a repaired version may be deployed.
 */
export const OBJECT_UNREADABLE_RETRY_MS = 5 * 60_000;
/**
 * After this time an object's call to the Worker counts as failed. It must be below 15 minutes, because the platform
 * then stops the alarm.
 */
export const OBJECT_CALL_MS = 5 * 60_000;
