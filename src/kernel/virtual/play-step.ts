// One step of a play: calls the kernel's step so that it can pause, and charges its cost units.
import type { Input } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { COMPUTATION_PART_UNITS } from "#schema/limits/isolates/computations.ts";
import type { Computation } from "../computing/computation.ts";
import { step, type StepResult } from "../execution/step.ts";
import { inParts } from "../computing/in-parts.ts";
import { jsonBytes } from "../language/json-values.ts";
import { BYTES_PER_UNIT } from "../computing/work.ts";
import type { Program } from "../execution/program.ts";

/** The budget that several plays share. `units`: the cost units used since the play could last pause. */
export type PlayBudget = { steps: number; work: number; units: number };

export function* playStep(
  program: Program,
  state: ExecutionState | null,
  input: Input,
  budget: PlayBudget,
): Computation<StepResult> {
  const making = inParts((work) => step(program, state, input, work.pauses));
  for (let part = making.next(); ; part = making.next()) {
    budget.units += part.done === true ? unitsOf(part.value) : part.value;
    if (budget.units >= COMPUTATION_PART_UNITS) {
      yield budget.units;
      budget.units = 0;
    }
    if (part.done === true) return part.value;
  }
}

/**
 * The fixed cost of a step: writing entries, copying lists and measuring the state. The cost of its rules is added to
 * it.
 */
function unitsOf(stepped: StepResult): number {
  if (!stepped.ok) return UNITS_A_STEP;
  const { runs, timers, variables } = stepped.state;
  const lists = (runs.length + timers.length) * UNITS_AN_ITEM + jsonBytes(variables) / BYTES_PER_UNIT;
  return UNITS_A_STEP + stepped.entries.length * UNITS_AN_ENTRY + lists;
}

const UNITS_A_STEP = 300;
const UNITS_AN_ENTRY = 60;
const UNITS_AN_ITEM = 4;
