// The budget of one step: the cost of everything that a definition can make expensive, and the places where long work
// can pause. Costs are units of work, not time, so the same step ends at the same place on any machine.
import { STEP_WORK_MAX, STEP_WORK_SPARE } from "#schema/limits/step-cost.ts";
import { fault } from "./fault.ts";

/** The remaining budget, which lives inside one step. `pauses`: null if the step runs without pauses. */
export type Work = { left: number; used: number; hasSpare: boolean; readonly pauses: Pauses | null };

/** Prices, in cost units, of operations that are not plain operators of a rule, measured by bench/step. */
export const workOf = {
  /** Calendar and zone lookups. */
  date: 100,
  /** Searching a few days for an occurrence: without, and with, a clock change in them. */
  calendarLook: 200,
  clockChange: 1_200,
  pathName: 2,
  /** Collecting the contexts around an item, per iteration level. */
  pathClimb: 8,
  /** Reading or copying one name of a list. */
  name: 2,
  templateStep: 4,
  microstep: 30,
  /** The cost of one active state, per microstep. */
  stateFound: 10,
  /** Pairs of transitions and states that are compared for one unit. */
  pairsPerUnit: 8,
  /** A token that reaches a journey node, and the number of marks copied for one unit. */
  token: 10,
  marksPerUnit: 2,
  /** Evaluating a guard, including the scope of the rule. */
  guard: 4,
} as const;

/** Bytes that are read, joined or written for one unit. */
export const BYTES_PER_UNIT = 8;

export function openWork(pauses: Pauses | null = null): Work {
  if (pauses === null) return { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses };
  pauses.work ??= openWork();
  return Object.assign(pauses.work, { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses });
}

/**
 * Charges the budget, and throws if it is exceeded. `where`: the place for the message, if no caller adds a more exact
 * one.
 */
export function charge(work: Work, cost: number, where = ""): void {
  if (cost > 0) {
    work.left -= cost;
    work.used += cost;
    if (work.pauses !== null) work.pauses.units += cost;
  }
  if (!isExhausted(work)) return;
  const at = where === "" ? "" : `${where}: `;
  throw fault("work_exceeded", `${at}the step needs more than ${STEP_WORK_MAX} cost units, the limit (STEP_WORK_MAX)`);
}

/** Counts time that is charged to no budget: it only decides when a pause is due, and changes no result. */
export function countUncharged({ pauses }: Work, units: number): void {
  if (pauses !== null) pauses.units += units;
}

export function isExhausted({ left }: Work): boolean {
  return left < 0;
}

/** Adds the budget for the work that must follow a failure. False if it was added before. */
export function addReserve(work: Work): boolean {
  if (!work.hasSpare) return false;
  work.hasSpare = false;
  work.left = STEP_WORK_SPARE;
  return true;
}

/** The log of computed parts, in the order in which they are requested. A part in progress may contain others. */
export type Log = {
  readonly values: unknown[];
  /** The budget that each part used. */
  readonly used: number[];
  next: number;
  inner: Log | null;
  /** State that the part in progress left for the next attempt. */
  suspended: unknown;
};

export type Pauses = {
  /** A pause is due after this many cost units. */
  readonly every: number;
  /** All work of this attempt in cost units, including work that is charged to no budget. */
  units: number;
  /** The share of `units` that the next attempt need not repeat. */
  kept: number;
  /** Number of parts read from the log. */
  recalled: number;
  isPausing: boolean;
  readonly whole: Log;
  log: Log;
  /** Shared by all attempts, because suspended work continues to charge it. */
  work: Work | null;
};

/** The exception of a pause. It has no stack, because it is thrown often and never shown. */
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

/** Runs one part of the work and keeps its result over pauses. Attempts share the result, so it must not be changed. */
export function runPart<Result>(work: Work, compute: (log: Log) => Result): Result {
  const { pauses } = work;
  if (pauses === null) return compute(NO_LOG);
  // A library may have caught the pause and continued.
  if (pauses.isPausing) throw PAUSE;
  const { log } = pauses;
  if (log.next < log.values.length) return recallPart(work) as Result;
  const inner = (log.inner ??= openLog());
  inner.next = 0;
  pauses.log = inner;
  const [used, units, kept] = [work.used, pauses.units, pauses.kept];
  const value = runInside(pauses, log, inner, compute);
  log.values.push(value);
  log.used.push(work.used - used);
  log.next += 1;
  pauses.kept = kept + pauses.units - units;
  if (isPauseDue(pauses)) pause(pauses);
  return value;
}

/** The next part if the log contains it, else null. */
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

/** Throws a pending pause again. Must be called wherever code catches an exception that may be a pause. */
export function rethrowPause({ pauses }: Work): void {
  if (pauses?.isPausing === true) throw PAUSE;
}

/**
 * Whether to pause now. False until the attempt has passed the work it had to repeat, so that all attempts together
 * take at most about twice as long.
 */
export function isPauseDue({ every, units, kept }: Pauses): boolean {
  return kept >= every && kept >= units - kept;
}

export function pause(pauses: Pauses): never {
  pauses.isPausing = true;
  throw PAUSE;
}

function runInside<Result>(pauses: Pauses, log: Log, inner: Log, compute: (log: Log) => Result): Result {
  try {
    const value = compute(inner);
    leavePart(pauses, log, inner);
    return value;
  } catch (thrown) {
    if (!pauses.isPausing) leavePart(pauses, log, inner);
    throw thrown;
  }
}

function leavePart(pauses: Pauses, log: Log, inner: Log): void {
  pauses.log = log;
  inner.values.length = 0;
  inner.used.length = 0;
  inner.suspended = null;
}

function openLog(): Log {
  return { values: [], used: [], next: 0, inner: null, suspended: null };
}

const NO_LOG = openLog();
