// A step that is paused wherever it can be: it must come to the same bytes as one that is made at once.
import { computeAtOnce, type Computation } from "#kernel/computing/computation.ts";
import { step, type StepResult } from "#kernel/execution/step.ts";
import { inParts } from "#kernel/computing/in-parts.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Input } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

/** In cost units. */
const PAUSED_EVERYWHERE_MAX = 1_000;
const PAUSED_SELDOM = 20_000;

/** Each pause makes the step again from its beginning, so one that costs much is paused seldom. */
export function stepPaused(program: Program, state: ExecutionState | null, input: Input): StepResult {
  const every = (units: number): Computation<StepResult> =>
    inParts(({ pauses }) => step(program, state, input, pauses), units);
  const seldom = every(PAUSED_SELDOM);
  for (let units = 0, part = seldom.next(); ; part = seldom.next()) {
    if (part.done !== true) units += part.value;
    else return units < PAUSED_EVERYWHERE_MAX ? computeAtOnce(every(0)) : part.value;
  }
}
