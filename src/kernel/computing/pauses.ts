// Where long synchronous work can be paused: a step, a rule, a template. A pause is thrown through all of it, and the work is
// started again from its beginning; a log keeps what it has computed by then, part by part, and that is not computed again.
// So the work has to be pure, and gives the same result with pauses as without.
import type { Work } from "./work.ts";

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
