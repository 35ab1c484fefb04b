// A computation made of pure synchronous work. At a pause the work is abandoned; it then starts again and reuses the
// results computed so far.
import { COMPUTATION_PAUSE_UNITS } from "#schema/limits/isolates/computations.ts";
import type { Computation } from "./computation.ts";
import { beginAttempt, openPauses, type Pauses, openWork, type Work } from "./work.ts";

/** The cost units of reading a part's result from the log. Reading is cheaper than computing. */
const UNITS_RECALLED = 0.5;

/** Runs work in parts. `pauseUnits`: the number of cost units after which the work pauses. */
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
 * Runs one attempt; null if the attempt was paused. If a library caught the pause and continued, its result is ignored.
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
