// The cell's one alarm. It moves earlier when something is due sooner, and does not move later: an early alarm costs
// less than a row. Exception: a standalone action at rest, because its next wake is final. Work due within seconds is
// started by an in-memory timer, which costs nothing; the alarm is set a little later as a fallback in case memory is
// lost.
import {
  ALARM_AHEAD_MS,
  ALARM_HOP_MS_MAX,
  ALARM_LOST_AFTER_MS,
  DUE_IN_MEMORY_MS_MAX,
  FALLBACK_ALARM_LATER_MS,
  FALLBACK_ALARM_LATER_MS_MAX,
} from "#schema/limits/alarms.ts";
import { PROJECT_WITHIN_MS } from "#schema/limits/projection-delays.ts";
import {
  SUSPENDED_CHECK_DIVISOR,
  SUSPENDED_CHECK_MS_MAX,
  SUSPENDED_CHECK_MS_MIN,
} from "#schema/limits/suspended-tenants.ts";
import type { Heads } from "./heads/heads.ts";
import { earlier } from "./heads/wake-heap.ts";
import type { Ports } from "./ports.ts";
import type { PendingProjections } from "./projections/pending-projections.ts";

export type Alarm = {
  /** The alarm time that the platform reports: at opening, when it fires (null), and before a repair. */
  readonly noteArmed: (at: number | null) => void;
  /** The alarm time as last written or reported. A commit that fails resets it. */
  readonly armedAt: () => number | null;
  /** Arms for the earliest wake, and for unsent projections. */
  readonly arm: (willProject: boolean) => void;
  /** Also moves the alarm later. For a cell whose earliest wake is its only one. */
  readonly armExactly: () => void;
};

export type Met = {
  /** Called when work is due soon. */
  readonly near: () => void;
  /** Due work is being processed, and processing continues until nothing is due. */
  readonly isUnderWay: () => boolean;
};

export function openAlarm(ports: Ports, heads: Heads, pending: PendingProjections, due: Met): Alarm {
  let armedAt: number | null = null;
  let nearAt: number | null = null;
  // A distant wake is reached in hops: the platform need not count to the year 2500, and a date may still change.
  const stopFor = (wake: number | null): number | null =>
    wake === null ? null : Math.min(wake, ports.now() + ALARM_HOP_MS_MAX);
  /** Due work of a suspended tenant stays due: the cell checks at intervals whether the tenant was resumed. */
  const wakeAt = (now: number): number | null => {
    const earliest = heads.earliest();
    const suspendedAt = ports.suspendedAt();
    return earliest === null || suspendedAt === null ? earliest : Math.max(earliest, looksAgainAt(suspendedAt, now));
  };
  const set = (wanted: number): void => {
    // A past instant fires at once. Writing it as the next millisecond distinguishes a lost alarm from a fresh one and
    // from the one that is firing: setting a firing alarm to its own instant would drop it.
    const at = Math.max(wanted, ports.now() + 1);
    ports.setAlarm(at);
    armedAt = at;
  };
  /** The earliest timer counts: when it fires, the next one is set. */
  const meet = (at: number, now: number): void => {
    if (nearAt !== null && nearAt <= at) return;
    nearAt = at;
    ports.near(Math.max(at - now, 0), () => {
      if (nearAt !== at) return;
      nearAt = null;
      due.near();
    });
  };
  /** A timer that is a little late because of load is still going to fire. */
  const isOnItsWay = (wake: number): boolean => due.isUnderWay() || (nearAt !== null && nearAt <= wake);
  /** The wake is handled from memory, unless memory is lost. */
  const isMet = (wake: number, now: number): boolean =>
    wake <= now + DUE_IN_MEMORY_MS_MAX && (wake > now || isOnItsWay(wake));
  /** An alarm whose time has passed is late by an unknown amount. */
  const goesOffBy = (at: number, now: number): boolean => armedAt !== null && armedAt >= now && armedAt <= at;
  return {
    noteArmed: (at) => {
      armedAt = at;
    },
    armedAt: () => armedAt,
    arm: (willProject) => {
      const now = ports.now();
      const projectBy = willProject || pending.areLeft() ? now + PROJECT_WITHIN_MS : null;
      const wake = stopFor(wakeAt(now));
      const met = wake !== null && isMet(wake, now) ? wake : null;
      // As a fallback for a near wake, the alarm need not move for each slightly nearer one.
      const [at, by] = met === null ? [wake, wake] : behind(Math.max(met, now));
      const wanted = earlier(at, projectBy);
      const latest = earlier(by, projectBy);
      const lost = armedAt !== null && armedAt < now - ALARM_LOST_AFTER_MS;
      if (wanted !== null && (armedAt === null || lost || armedAt > Number(latest))) set(wanted);
      if (met !== null && met > now && !goesOffBy(met, now)) meet(met, now);
    },
    armExactly: () => {
      const wanted = stopFor(heads.earliest());
      if (wanted === null || armedAt === null || armedAt >= wanted) return;
      // On its way to a distant wake, the alarm does not move with every turn: that would be a row each.
      if (armedAt < ports.now() + ALARM_HOP_MS_MAX / 2) set(wanted);
    },
  };
}

/**
 * The instant passed to the platform is earlier than the wake, so that starting the object and loading its settings are
 * done in time. Work whose alarm fired early waits in memory (due-work.ts). Never in the past, as above.
 */
export function armedInstantFor(at: number, now: number): number {
  return Math.max(at - ALARM_AHEAD_MS, Math.min(at, now + 1));
}

/** Inverse of the function above. */
export function wakeOfArmed(told: number | null): number | null {
  return told === null ? null : told + ALARM_AHEAD_MS;
}

/** When the alarm is armed for, and how late an already armed alarm may be. */
function behind(at: number): readonly [at: number, by: number] {
  return [at + FALLBACK_ALARM_LATER_MS, at + FALLBACK_ALARM_LATER_MS_MAX];
}

function looksAgainAt(suspendedAt: number, now: number): number {
  return (
    now +
    Math.min(Math.max((now - suspendedAt) / SUSPENDED_CHECK_DIVISOR, SUSPENDED_CHECK_MS_MIN), SUSPENDED_CHECK_MS_MAX)
  );
}
