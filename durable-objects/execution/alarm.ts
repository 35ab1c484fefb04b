// The cell's one alarm. It is moved earlier when something is due sooner, and not moved later: firing early costs less
// than a row. The exception is an execution alone in its cell that has come to rest: its next wake is known for good.
// What is due within seconds is met from memory, by a timer that costs nothing; the alarm stands behind it, a little later,
// should the memory be gone by then.
import {
  ALARM_AHEAD_MS,
  ALARM_HOP_MS_MAX,
  ALARM_LOST_AFTER_MS,
  NEAR_ALARM_LATER_MS,
  NEAR_ALARM_LATER_MS_MAX,
  NEAR_MS_MAX,
  PROJECT_WITHIN_MS,
  SUSPENDED_LOOK_MS_MAX,
  SUSPENDED_LOOK_MS_MIN,
  SUSPENDED_LOOK_PART,
} from "#schema/limits/objects.ts";
import type { Heads } from "./heads/heads.ts";
import { earlier } from "./heads/wakes.ts";
import type { Ports } from "./ports.ts";
import type { PendingProjections } from "./projections/pending-projections.ts";

export type Alarm = {
  /** What the platform says is armed: at opening, when it fires (null), and when somebody asks for a repair. */
  readonly noteArmed: (at: number | null) => void;
  /** What it is believed to be armed for: a commit that fails takes its arming back with it. */
  readonly armedAt: () => number | null;
  /** Arms for the earliest wake, and for the catalog if it is behind. */
  readonly arm: (willProject: boolean) => void;
  /** Moves it later as well, where the earliest wake is the only one there will be. */
  readonly armExactly: () => void;
};

export type Met = {
  /** To be called when something near is due. */
  readonly near: () => void;
  /** What is due is being worked off this very moment, and goes on until nothing is. */
  readonly isUnderWay: () => boolean;
};

export function openAlarm(ports: Ports, heads: Heads, pending: PendingProjections, due: Met): Alarm {
  let armedAt: number | null = null;
  let nearAt: number | null = null;
  // What is far off is gone to in hops: the platform need not count to the year 2500, and what hangs on a date may move.
  const stopFor = (wake: number | null): number | null =>
    wake === null ? null : Math.min(wake, ports.now() + ALARM_HOP_MS_MAX);
  /** What is due of a suspended tenant stays due: the cell looks now and then whether the tenant goes on. */
  const wakeAt = (now: number): number | null => {
    const earliest = heads.earliest();
    const suspendedAt = ports.suspendedAt();
    return earliest === null || suspendedAt === null ? earliest : Math.max(earliest, looksAgainAt(suspendedAt, now));
  };
  const set = (wanted: number): void => {
    // A past instant fires at once; written as the next, a lost one can be told from a fresh one, and from the one that
    // is going off: set to its own instant again, that one would be over with it.
    const at = Math.max(wanted, ports.now() + 1);
    ports.setAlarm(at);
    armedAt = at;
  };
  /** Of several timers the earliest counts: when it goes off, the next one is set. */
  const meet = (at: number, now: number): void => {
    if (nearAt !== null && nearAt <= at) return;
    nearAt = at;
    ports.near(Math.max(at - now, 0), () => {
      if (nearAt !== at) return;
      nearAt = null;
      due.near();
    });
  };
  /** A timer that is a little late, because much else is going on, is on its way all the same. */
  const isOnItsWay = (wake: number): boolean => due.isUnderWay() || (nearAt !== null && nearAt <= wake);
  /** What is met from memory, if all is well. */
  const isMet = (wake: number, now: number): boolean => wake <= now + NEAR_MS_MAX && (wake > now || isOnItsWay(wake));
  /** One whose time is over already is late, nobody knows by how much. */
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
      // Standing behind what is near it need not be moved for each that is a little nearer.
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
      // On its way to something far it is not moved with every turn: that would be a row each.
      if (armedAt < ports.now() + ALARM_HOP_MS_MAX / 2) set(wanted);
    },
  };
}

/**
 * What the platform is told: waking an object, and asking what it has to know before anything fires, are over when it is time.
 * What has gone off early waits in memory (due-work.ts). Not in the past, as above.
 */
export function toldAhead(at: number, now: number): number {
  return Math.max(at - ALARM_AHEAD_MS, Math.min(at, now + 1));
}

/** The other way about. */
export function meantBy(told: number | null): number | null {
  return told === null ? null : told + ALARM_AHEAD_MS;
}

/** When it is armed for, and how late it may be armed already. */
function behind(at: number): readonly [at: number, by: number] {
  return [at + NEAR_ALARM_LATER_MS, at + NEAR_ALARM_LATER_MS_MAX];
}

function looksAgainAt(suspendedAt: number, now: number): number {
  return (
    now + Math.min(Math.max((now - suspendedAt) / SUSPENDED_LOOK_PART, SUSPENDED_LOOK_MS_MIN), SUSPENDED_LOOK_MS_MAX)
  );
}
