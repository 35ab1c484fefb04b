// A long computation in parts, so that its driver can let others go first between two of them. Each part says how many cost
// units it used. The result is the same wherever the driver pauses.

/** A cost unit takes some 50 ns, as those of a step do (language/work.ts). */
export type Computation<Result> = Generator<number, Result, void>;

/** Part after part, without a pause. */
export function computeAtOnce<Result>(computation: Computation<Result>): Result {
  for (;;) {
    const part = computation.next();
    if (part.done === true) return part.value;
  }
}
