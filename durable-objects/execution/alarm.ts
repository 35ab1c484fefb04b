// The cell's one alarm. Earlier work moves it to an earlier time. It does not move to a later time, because an early
// alarm costs less than the row that a move writes. The exception is a standalone action at rest, because its next wake
// is its last. Work that is due within seconds runs from an in-memory timer, which costs nothing. The alarm then fires
// a little after the timer, in case the object was evicted.
import {
  ALARM_AHEAD_MS,
  ALARM_HOP_MS_MAX,
  ALARM_LOST_AFTER_MS,
  FALLBACK_ALARM_LATER_MS,
  FALLBACK_ALARM_LATER_MS_MAX,
  DUE_IN_MEMORY_MS_MAX,
} from "#schema/limits/alarms.ts";
import { PROJECT_WITHIN_MS } from "#schema/limits/executions.ts";
import {
  SUSPENDED_CHECK_MS_MAX,
  SUSPENDED_CHECK_MS_MIN,
  SUSPENDED_CHECK_DIVISOR,
} from "#schema/limits/suspended-tenants.ts";
import type { Heads } from "./heads/heads.ts";
import { earlier } from "./heads/wake-heap.ts";
import type { Ports } from "./ports.ts";
import type { PendingProjections } from "./projections/pending-projections.ts";

export type Alarm = {
  /**
   * Records the alarm time that the platform reports when the object opens and before a repair. null: the alarm has
   * just fired.
   */
  readonly noteArmed: (at: number | null) => void;
  /**
   * The alarm time as last set or reported, epoch ms; null if no alarm is set. If a commit fails, its caller sets the
   * previous time again.
   */
  readonly armedAt: () => number | null;
  /**
   * Sets the alarm for the earliest wake. `willProject`: the caller is about to send projections, so the alarm is also
   * set to retry them.
   */
  readonly arm: (willProject: boolean) => void;
  /** Moves the alarm to the earliest wake, even if that wake is later than the alarm. For a cell with one execution. */
  readonly armExactly: () => void;
};

export type DueWorkSignals = {
  /** Called when the in-memory timer fires. */
  readonly onTimer: () => void;
  /** True while due work is being run. The run continues until nothing is due. */
  readonly isRunning: () => boolean;
};

/** `at`: when the alarm should fire. `latest`: an alarm that is already set is not moved if it fires by this time. */
type AlarmTarget = { readonly at: number | null; readonly latest: number | null };

export function openAlarm(ports: Ports, heads: Heads, pending: PendingProjections, dueWork: DueWorkSignals): Alarm {
  let armedAt: number | null = null;
  let timerAt: number | null = null;
  /**
   * Returns the time of the next alarm before a wake. Several alarms lead to a distant wake, because the platform
   * limits how far ahead an alarm can be.
   */
  const nextHop = (wake: number | null): number | null =>
    wake === null ? null : Math.min(wake, ports.now() + ALARM_HOP_MS_MAX);
  /** Due work of a suspended tenant stays due, so the cell wakes only to check whether the tenant was resumed. */
  const nextWakeAt = (now: number): number | null => {
    const earliest = heads.earliest();
    const suspendedAt = ports.suspendedAt();
    return earliest === null || suspendedAt === null ? earliest : Math.max(earliest, nextCheckAt(suspendedAt, now));
  };
  /**
   * A time in the past becomes the next millisecond. The platform would drop an alarm for the time at which an alarm
   * fires.
   */
  const setAlarm = (wanted: number): void => {
    const at = Math.max(wanted, ports.now() + 1);
    ports.setAlarm(at);
    armedAt = at;
  };
  /** The cell has one timer, for the earliest wake. After it fires, the timer for the next wake is set. */
  const setTimer = (at: number, now: number): void => {
    if (timerAt !== null && timerAt <= at) return;
    timerAt = at;
    ports.runWhenDue(Math.max(at - now, 0), () => {
      if (timerAt !== at) return;
      timerAt = null;
      dueWork.onTimer();
    });
  };
  /** A timer that is late because of load still fires, so its wake needs no alarm. */
  const isBeingHandled = (wake: number): boolean => dueWork.isRunning() || (timerAt !== null && timerAt <= wake);
  /** True if a timer or the current run handles this wake, so that the alarm is only a fallback for it. */
  const isInMemory = (wake: number, now: number): boolean =>
    wake <= now + DUE_IN_MEMORY_MS_MAX && (wake > now || isBeingHandled(wake));
  /**
   * True if the alarm that is set fires by `at`. An alarm whose time has passed does not count, because it may fire
   * late.
   */
  const firesBy = (at: number, now: number): boolean => armedAt !== null && armedAt >= now && armedAt <= at;
  return {
    noteArmed: (at) => {
      armedAt = at;
    },
    armedAt: () => armedAt,
    arm: (willProject) => {
      const now = ports.now();
      const projectBy = willProject || pending.hasUnsent() ? now + PROJECT_WITHIN_MS : null;
      const wake = nextHop(nextWakeAt(now));
      const timerWake = wake !== null && isInMemory(wake, now) ? wake : null;
      const target = timerWake === null ? { at: wake, latest: wake } : fallbackFor(Math.max(timerWake, now));
      const at = earlier(target.at, projectBy);
      const latest = earlier(target.latest, projectBy);
      const isLost = armedAt !== null && armedAt < now - ALARM_LOST_AFTER_MS;
      if (at !== null && (armedAt === null || isLost || armedAt > Number(latest))) setAlarm(at);
      if (timerWake !== null && timerWake > now && !firesBy(timerWake, now)) setTimer(timerWake, now);
    },
    armExactly: () => {
      const wanted = nextHop(heads.earliest());
      // An alarm that is about to fire is not moved, because it may wake a run that a limit holds (run-wakes.ts).
      if (wanted === null || armedAt === null || armedAt >= wanted || armedAt <= ports.now() + 1) return;
      // An alarm on the way to a distant wake is not moved, because each move would write a row.
      if (armedAt < ports.now() + ALARM_HOP_MS_MAX / 2) setAlarm(wanted);
    },
  };
}

/**
 * Returns the time to pass to the platform for a wake. It is a little before the wake, so that the object has started
 * and loaded its rows in time. It is never in the past. due-work.ts waits for the wake itself.
 */
export function armedInstantFor(wake: number, now: number): number {
  return Math.max(wake - ALARM_AHEAD_MS, Math.min(wake, now + 1));
}

/** Returns the wake for which the platform's alarm was set: the inverse of `armedInstantFor`. */
export function wakeOfArmed(platformAlarmAt: number | null): number | null {
  return platformAlarmAt === null ? null : platformAlarmAt + ALARM_AHEAD_MS;
}

/**
 * Returns the alarm that replaces the timer if the object is evicted. `latest` is after `at`, so that a slightly
 * earlier wake does not move the alarm.
 */
function fallbackFor(wake: number): AlarmTarget {
  return { at: wake + FALLBACK_ALARM_LATER_MS, latest: wake + FALLBACK_ALARM_LATER_MS_MAX };
}

/** Returns when to check the suspension again, epoch ms. The interval grows with the time since the suspension. */
function nextCheckAt(suspendedAt: number, now: number): number {
  const interval = (now - suspendedAt) / SUSPENDED_CHECK_DIVISOR;
  return now + Math.min(Math.max(interval, SUSPENDED_CHECK_MS_MIN), SUSPENDED_CHECK_MS_MAX);
}
