// A computation made of pure synchronous work: it pauses where a rule or a template allows a pause, and then restarts
// with the results computed so far.
import { COMPUTATION_PAUSE_UNITS } from "#schema/limits/isolates/computations.ts";
import type { Computation } from "./computation.ts";
import { beginAttempt, openPauses, type Pauses, openWork, type Work } from "./work.ts";

/** Cost units of reading a part from the log, which is cheaper than computing it. */
const UNITS_RECALLED = 0.5;

/** Runs work in parts. `pauseUnits`: the cost units after which it pauses. */
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

/** Runs one attempt; null if it was paused. The result is ignored if a library caught the pause and continued. */
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
