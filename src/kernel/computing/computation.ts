// A long computation in parts: after each part its driver can do other work. Each part yields the cost units that it
// has used. The result does not depend on where the driver pauses.

/** A computation with a result of type `Result`. It yields cost units; one unit takes about 50 ns (see work.ts). */
export type Computation<Result> = Generator<number, Result, void>;

/** Runs a computation to its end without a pause, and returns its result. */
export function computeAtOnce<Result>(computation: Computation<Result>): Result {
  for (;;) {
    const part = computation.next();
    if (part.done === true) return part.value;
  }
}
