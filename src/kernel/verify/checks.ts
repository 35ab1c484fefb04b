// Checks of a definition, run one at a time. Other requests can be served between two checks.
import type { Definition } from "#schema/definition/definition.ts";
import type { Computation } from "../computing/computation.ts";
import { byteLength } from "../language/json-values.ts";

/**
 * `bytes`: the size of the JSON that the check reads, from which its cost is estimated. The cost decides when to pause.
 */
export type Check<Found> = { readonly bytes: number; readonly run: () => readonly Found[] };

/** The estimated cost units per byte. Measured: most checks cost less, and checks of templates three times as much. */
const UNITS_PER_BYTE = 2;

export function* runChecks<Found>(checks: readonly Check<Found>[]): Computation<readonly Found[]> {
  const found: Found[][] = [];
  for (const { bytes, run } of checks) {
    found.push([...run()]);
    yield bytes * UNITS_PER_BYTE;
  }
  return found.flat();
}

const sizes = new WeakMap<Definition, number>();

/** A check that reads a whole definition. */
export function checkOf<Kind extends Definition, Found>(
  definition: Kind,
  check: (definition: Kind) => readonly Found[],
): Check<Found> {
  const bytes = sizes.get(definition) ?? byteLength(JSON.stringify(definition));
  sizes.set(definition, bytes);
  return { bytes, run: () => check(definition) };
}
