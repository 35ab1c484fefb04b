// A long computation in parts: its driver can run other work between two parts. Each part yields the cost units that it
// used. The result is the same wherever the driver pauses.

/** A computation of `Result`. One cost unit takes about 50 ns, as in a step (work.ts). */
export type Computation<Result> = Generator<number, Result, void>;

/** Runs all parts of a computation without a pause, and returns the result. */
export function computeAtOnce<Result>(computation: Computation<Result>): Result {
  for (;;) {
    const part = computation.next();
    if (part.done === true) return part.value;
  }
}
