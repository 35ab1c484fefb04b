// The budget of one step: what everything that a definition can make expensive costs, and where long work can be paused.
// Costs are units of work, not time, so the same step ends at the same place on any machine.
import { STEP_WORK_MAX, STEP_WORK_SPARE } from "#schema/limits/kernel.ts";
import { fault } from "./fault.ts";

/** It lives inside one step and is used up there. `pauses`: null where the step is made at once. */
export type Work = { left: number; used: number; hasSpare: boolean; readonly pauses: Pauses | null };

/** What things cost that are no plain operator of a rule. Measured: bench/step shows what they take. */
export const workOf = {
  /** Calendars and zones are looked up in tables. */
  date: 100,
  /** Some days looked through for an occurrence, where the zone's clocks are not moved in them, and where they are. */
  calendarLook: 200,
  clockChange: 1_200,
  pathName: 2,
  /** From an iteration outwards: all that lies around it is put in a row. */
  pathClimb: 8,
  /** A name looked at in a list of names, or copied. */
  name: 2,
  templateStep: 4,
  microstep: 30,
  /** An active state among all others, once a microstep. */
  stateFound: 10,
  /** So many pairs of transitions and states are compared for one unit. */
  pairsPerUnit: 8,
  /** A token that reaches a node of a journey, and so many marks that are copied for one unit. */
  token: 10,
  marksPerUnit: 2,
  /** A guard asked, with all that a rule sees put together. */
  guard: 4,
} as const;

/** Bytes that are looked at, joined or put out for one unit. */
export const BYTES_PER_UNIT = 8;

export function openWork(pauses: Pauses | null = null): Work {
  if (pauses === null) return { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses };
  pauses.work ??= openWork();
  return Object.assign(pauses.work, { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses });
}

/** Throws once more is used than there is. `where`: the place, if nobody further out knows it. */
export function spend(work: Work, cost: number, where = ""): void {
  if (cost > 0) {
    work.left -= cost;
    work.used += cost;
    if (work.pauses !== null) work.pauses.units += cost;
  }
  if (!isSpent(work)) return;
  const at = where === "" ? "" : `${where}: `;
  throw fault("work_exceeded", `${at}the step takes more than ${STEP_WORK_MAX} units of work (STEP_WORK_MAX)`);
}

/** Work that takes time and that no budget counts: it says when a pause is due, and changes no result. */
export function weigh({ pauses }: Work, units: number): void {
  if (pauses !== null) pauses.units += units;
}

export function isSpent({ left }: Work): boolean {
  return left < 0;
}

/** Enough for what has to follow a failure. False where that was given already. */
export function takeSpare(work: Work): boolean {
  if (!work.hasSpare) return false;
  work.hasSpare = false;
  work.left = STEP_WORK_SPARE;
  return true;
}

/** The parts that are computed, in the order in which they are asked for; inside the one under way there may be others. */
export type Log = {
  readonly values: unknown[];
  /** What each part used of the work's budget. */
  readonly used: number[];
  next: number;
  inner: Log | null;
  /** What the part under way left for the next attempt. */
  suspended: unknown;
};

export type Pauses = {
  /** After so many units. */
  readonly every: number;
  /** Work of this attempt, in cost units; all of it, also what no budget counts. */
  units: number;
  /** Those of them that the next attempt need not do again. */
  kept: number;
  /** Parts that were taken from the log. */
  recalled: number;
  isPausing: boolean;
  readonly whole: Log;
  log: Log;
  /** One for all attempts: what is suspended goes on paying from it. */
  work: Work | null;
};

/** Without a stack: it is thrown often, and never shown. */
const PAUSE = Object.assign(new Error("paused"), { stack: "" });

export function openPauses(every: number): Pauses {
  const whole = openLog();
  return { every, units: 0, kept: 0, recalled: 0, isPausing: false, whole, log: whole, work: null };
}

export function beginAttempt(pauses: Pauses): void {
  pauses.units = 0;
  pauses.kept = 0;
  pauses.recalled = 0;
  pauses.isPausing = false;
  pauses.whole.next = 0;
  pauses.log = pauses.whole;
}

/** A part of the work, of which the result is kept over pauses; it may be shared by attempts, so nothing may change it. */
export function part<Result>(work: Work, compute: (log: Log) => Result): Result {
  const { pauses } = work;
  if (pauses === null) return compute(NO_LOG);
  // A library may have caught the pause and gone on.
  if (pauses.isPausing) throw PAUSE;
  const { log } = pauses;
  if (log.next < log.values.length) return recallPart(work) as Result;
  const inner = (log.inner ??= openLog());
  inner.next = 0;
  pauses.log = inner;
  const [used, units, kept] = [work.used, pauses.units, pauses.kept];
  const value = within(pauses, log, inner, compute);
  log.values.push(value);
  log.used.push(work.used - used);
  log.next += 1;
  pauses.kept = kept + pauses.units - units;
  if (isPauseDue(pauses)) pause(pauses);
  return value;
}

/** The next part, if the log has it; else null. */
export function recallPart(work: Work): unknown {
  const { pauses } = work;
  if (pauses === null) return null;
  const { log } = pauses;
  const n = log.next;
  if (n >= log.values.length) return null;
  log.next = n + 1;
  const used = Number(log.used[n]);
  work.used += used;
  work.left -= used;
  pauses.recalled += 1;
  return log.values[n];
}

/** Wherever something is caught that may be a pause. */
export function rethrowPause({ pauses }: Work): void {
  if (pauses?.isPausing === true) throw PAUSE;
}

/** Never before an attempt has got as far as it had to do again: all attempts together take at most about twice as long. */
export function isPauseDue({ every, units, kept }: Pauses): boolean {
  return kept >= every && kept >= units - kept;
}

export function pause(pauses: Pauses): never {
  pauses.isPausing = true;
  throw PAUSE;
}

function within<Result>(pauses: Pauses, log: Log, inner: Log, compute: (log: Log) => Result): Result {
  try {
    const value = compute(inner);
    leave(pauses, log, inner);
    return value;
  } catch (thrown) {
    if (!pauses.isPausing) leave(pauses, log, inner);
    throw thrown;
  }
}

function leave(pauses: Pauses, log: Log, inner: Log): void {
  pauses.log = log;
  inner.values.length = 0;
  inner.used.length = 0;
  inner.suspended = null;
}

function openLog(): Log {
  return { values: [], used: [], next: 0, inner: null, suspended: null };
}

const NO_LOG = openLog();
