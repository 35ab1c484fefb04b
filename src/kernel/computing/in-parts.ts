// Makes a computation of pure synchronous work: it is paused where a rule or a template can be, and then started again with
// what it has computed by then.
import { COMPUTATION_PAUSE_UNITS } from "#schema/limits/isolates.ts";
import type { Computation } from "./computation.ts";
import { beginAttempt, openPauses, type Pauses, openWork, type Work } from "./work.ts";

/** A part that is taken from the log costs little. */
const UNITS_RECALLED = 0.5;

/** `work`: what it may cost in all, and where it is paused. `pauseUnits`: after how much of it. */
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

/** null: it was paused. Where a library caught the pause and went on, what it came to counts for nothing. */
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
