// Checks of a definition as a computation with one part per check. Other requests can be served between two checks.
import type { Definition } from "#schema/definition/definition.ts";
import type { Computation } from "../computing/computation.ts";
import { byteLength } from "../language/json-values.ts";

/** `bytes`: the size of the JSON that the check reads; it decides when a pause is due. */
export type Check<Found> = { readonly bytes: number; readonly run: () => readonly Found[] };

/** Measured cost units per byte. Most checks take fewer units, and templates take three times as many. */
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
