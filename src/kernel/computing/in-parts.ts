// A computation that can pause although its work is one synchronous call. A pause throws away the work in progress. The
// work then starts again, and reads the results that were computed before from a log.
import { COMPUTATION_PAUSE_UNITS } from "#schema/limits/isolates/computations.ts";
import type { Computation } from "./computation.ts";
import { beginAttempt, openPauses, type Pauses, openWork, type Work } from "./work.ts";

/** The cost units of reading the result of a part from the log, which is cheaper than computing the part. */
const UNITS_RECALLED = 0.5;

/** Runs the work until it is complete. `pauseUnits`: the number of cost units after which the work pauses. */
export function* inParts<Result>(
  run: (work: Work) => Result,
  pauseUnits: number = COMPUTATION_PAUSE_UNITS,
): Computation<Result> {
  const pauses = openPauses(pauseUnits);
  for (;;) {
    const done = attempt(pauses, run);
    yield pauses.units + pauses.recalled * UNITS_RECALLED;
    if (done !== null) return done.value;
  }
}

/**
 * Runs the work once; null if it was paused. A library may catch the exception of a pause and continue. The result of
 * such an attempt is ignored.
 */
function attempt<Result>(pauses: Pauses, run: (work: Work) => Result): { readonly value: Result } | null {
  beginAttempt(pauses);
  try {
    const value = run(openWork(pauses));
    return pauses.isPausing ? null : { value };
  } catch (thrown) {
    if (pauses.isPausing) return null;
    throw thrown;
  }
}
