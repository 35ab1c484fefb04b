// The budget of one step. Everything that a definition can make expensive is charged, and long work can pause at
// certain calls. A cost is a number of units and not a time, so the same step ends at the same call on any machine.
import { STEP_WORK_MAX, STEP_WORK_SPARE } from "#schema/limits/executions.ts";
import { fault } from "./fault.ts";

/** The remaining budget of one step. `pauses`: null if the step runs without pauses. */
export type Work = { left: number; used: number; hasSpare: boolean; readonly pauses: Pauses | null };

/** The prices, in cost units, of operations other than a rule's plain operators. bench/step measures them. */
export const workOf = {
  /** Calendar and zone lookups. */
  date: 100,
  /**
   * Searches a few days for an occurrence. The first price applies without a clock change in these days, the second
   * with one.
   */
  calendarLook: 200,
  clockChange: 1_200,
  pathName: 2,
  /** Collects the contexts around an item, per level of nested iteration (`../`). */
  pathClimb: 8,
  /** Reads or copies one name in a list of names, such as the names of an object's fields. */
  name: 2,
  templateStep: 4,
  microstep: 30,
  /** Finds one active state in a microstep. */
  stateFound: 10,
  /** One unit pays for comparing this many pairs of transitions and states. */
  pairsPerUnit: 8,
  /**
   * `token`: the price of a token that reaches a journey node. `marksPerUnit`: one unit pays for copying this many
   * marks.
   */
  token: 10,
  marksPerUnit: 2,
  /** Evaluates a guard, including building the scope of its rule. */
  guard: 4,
} as const;

/** One unit pays for reading, joining or writing this many bytes. */
export const BYTES_PER_UNIT = 8;

export function openWork(pauses: Pauses | null = null): Work {
  if (pauses === null) return { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses };
  pauses.work ??= openWork();
  return Object.assign(pauses.work, { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses });
}

/**
 * Charges the budget, and throws if the budget is exceeded. `where`: the text that names the cause in the message,
 * unless a caller adds a more exact one.
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

/** Counts time that is charged to no budget. The count decides when a pause is due, and changes no result. */
export function countUncharged({ pauses }: Work, units: number): void {
  if (pauses !== null) pauses.units += units;
}

export function isExhausted({ left }: Work): boolean {
  return left < 0;
}

/** Adds the reserve budget for the work that follows a failure. Returns false if the reserve was already added. */
export function addReserve(work: Work): boolean {
  if (!work.hasSpare) return false;
  work.hasSpare = false;
  work.left = STEP_WORK_SPARE;
  return true;
}

/**
 * The results of computed parts, in the order in which the work requests the parts. A part in progress may contain
 * further parts.
 */
export type Log = {
  readonly values: unknown[];
  /** The cost units that each part used. */
  readonly used: number[];
  next: number;
  inner: Log | null;
  /** State that the part in progress stores for the next attempt; null if it stores none. */
  suspended: unknown;
};

export type Pauses = {
  /** The number of cost units after which a pause is due. */
  readonly every: number;
  /** All cost units of this attempt, including work that is charged to no budget. */
  units: number;
  /** The share of `units` that the next attempt reads from the log and need not repeat. */
  kept: number;
  /** The number of parts that this attempt has read from the log. */
  recalled: number;
  isPausing: boolean;
  readonly whole: Log;
  log: Log;
  /** The budget, which all attempts share, because suspended work continues to charge the same object. */
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
  // A library has caught the pause and continued the work, so the pause is thrown again.
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

/** The result of the next part if the log contains it; otherwise null, and the caller computes the part. */
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

/** Throws a pending pause again. Every catch block that may have caught a pause must call this function. */
export function rethrowPause({ pauses }: Work): void {
  if (pauses?.isPausing === true) throw PAUSE;
}

/**
 * Whether to pause now. False until the attempt has done more new work than it repeated. All attempts together
 * therefore take at most about twice as long as one run.
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
