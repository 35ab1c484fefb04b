// The budget of one step. All work that a definition can make expensive is charged, and long work can pause at certain
// calls. Costs are units and not times, so the same step uses up its budget at the same call on every machine.
import { STEP_WORK_MAX, STEP_WORK_SPARE } from "#schema/limits/executions.ts";
import { fault } from "./fault.ts";

/** The remaining budget of one step. `pauses`: null if the step cannot pause. */
export type Work = { left: number; used: number; hasSpare: boolean; readonly pauses: Pauses | null };

/** The prices, in cost units, of all operations except a rule's plain operators. bench/step measures them. */
export const workOf = {
  /** A lookup in the calendar or in a time zone. */
  date: 100,
  /** A search for an occurrence in a few days. The second price applies if the clock changes in these days. */
  calendarLook: 200,
  clockChange: 1_200,
  pathName: 2,
  /** Collecting the contexts around an item for a path with `../`, per level of nesting. */
  pathClimb: 8,
  /** Reading or copying one name of a list of names, such as the field names of an object. */
  name: 2,
  templateStep: 4,
  microstep: 30,
  /** Finding one active state in a microstep. */
  stateFound: 10,
  /** The number of pairs of a transition and a state that one unit compares. */
  pairsPerUnit: 8,
  /**
   * `token`: the price of a token that reaches a journey node. `marksPerUnit`: the number of marks that one unit
   * copies.
   */
  token: 10,
  marksPerUnit: 2,
  /** Evaluating a guard, for which the scope of its rule is built. */
  guard: 4,
} as const;

/** The number of bytes that one unit reads, joins or writes. */
export const BYTES_PER_UNIT = 8;

export function openWork(pauses: Pauses | null = null): Work {
  if (pauses === null) return { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses };
  pauses.work ??= openWork();
  return Object.assign(pauses.work, { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses });
}

/**
 * Charges the budget, and throws if too little is left. `where`: names the cause in the message. A caller may replace
 * it by a more exact cause.
 */
export function charge(work: Work, cost: number, where = ""): void {
  if (cost > 0) {
    work.left -= cost;
    work.used += cost;
    if (work.pauses !== null) work.pauses.units += cost;
  }
  if (!isExhausted(work)) return;
  const at = where === "" ? "" : `${where}: `;
  throw fault(
    "work_exceeded",
    `${at}the step needs more cost units than the limit of ${STEP_WORK_MAX} (STEP_WORK_MAX)`,
  );
}

/** Counts work that is not charged to a budget. It only makes the next pause due earlier, and changes no result. */
export function countUncharged({ pauses }: Work, units: number): void {
  if (pauses !== null) pauses.units += units;
}

export function isExhausted({ left }: Work): boolean {
  return left < 0;
}

/** Adds the reserve to the budget, for the work that follows a failure. Returns false if it was added before. */
export function addReserve(work: Work): boolean {
  if (!work.hasSpare) return false;
  work.hasSpare = false;
  work.left = STEP_WORK_SPARE;
  return true;
}

/**
 * The results of the parts that are already computed, in the order in which the work requests them. A part may contain
 * further parts.
 */
export type Log = {
  readonly values: unknown[];
  /** The cost units that each computed part has used. */
  readonly used: number[];
  next: number;
  inner: Log | null;
  /** A value that the part in progress stores for the next attempt; null if there is none. */
  suspended: unknown;
};

export type Pauses = {
  /** The number of cost units after which the next pause is due. */
  readonly every: number;
  /** All cost units of this attempt, charged or not. */
  units: number;
  /** The part of `units` whose results are in the log, so that the next attempt does not compute them again. */
  kept: number;
  /** The number of results that this attempt has read from the log. */
  recalled: number;
  isPausing: boolean;
  readonly whole: Log;
  log: Log;
  /** The budget of the step. All attempts share this object, because suspended work continues to charge it. */
  work: Work | null;
};

/**
 * The exception that a pause throws. It has no stack, because pauses are frequent and no person reads the exception.
 */
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

/**
 * Runs one part of the work, and keeps its result for the attempts after a pause. All attempts get the same object, so
 * it must not be changed.
 */
export function runPart<Result>(work: Work, compute: (log: Log) => Result): Result {
  const { pauses } = work;
  if (pauses === null) return compute(NO_LOG);
  // A library has caught the exception of the pause and continued. The exception is therefore thrown again.
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

/** The result of the next part if the log contains it. null if not; the caller then computes the part. */
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

/** Throws again if a pause is in progress. Every catch block around work that may pause must call this function. */
export function rethrowPause({ pauses }: Work): void {
  if (pauses?.isPausing === true) throw PAUSE;
}

/**
 * Whether to pause now. An attempt first does more new work than it has repeated. All attempts together therefore take
 * at most about twice as long as one attempt without pauses.
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
