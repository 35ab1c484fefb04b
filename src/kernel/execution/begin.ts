// The begin of an execution: checks the start command, stores the initial state, and makes the first move. Limits on
// starts delay this move.
import type { StartCommand, Stamp } from "#schema/engine/input.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Pauses } from "../computing/work.ts";
import { refuseViolations } from "../declared/schema-violations.ts";
import { refuseNesting } from "./children/children.ts";
import { refuseFault, type RefusalOrNull } from "./control.ts";
import { addEntry, openStep, type Step } from "./current-step.ts";
import { processPending } from "./drive.ts";
import { deferFirstMove, makeFirstMove } from "./limits/start-place.ts";
import { newState } from "./new-state.ts";
import type { Program } from "./program.ts";
import { reconcileDue } from "./reconciling/due-ticks.ts";
import { refuseDesired } from "./reconciling/revisions.ts";
import { isSurelySmall, refuseFull } from "./state-bytes.ts";
import { refuseAdmission } from "./subject/subject.ts";

/** The arguments that all attempts at a step share. */
export type StepSettings = { readonly program: Program; readonly pauses: Pauses | null };
export type StartInput = StartCommand & Stamp;

export function begin(stepping: StepSettings, input: StartInput): Step | NonNullable<RefusalOrNull> {
  const late = refuseNesting(input) ?? refuseAdmission(input);
  if (late) return late;
  const begun = openStart(stepping, input);
  const refused = refuseData(begun, input) ?? beginNow(begun, input);
  const { limit } = stepping.program.definition;
  if (refused || limit === undefined) return refused ?? begun;
  // The first move only showed that the start is possible. It is made again after the admission.
  const waiting = openStart(stepping, input);
  return deferFirstMove(waiting, input, limit) ?? refuseIfFull(waiting) ?? waiting;
}

function openStart(stepping: StepSettings, input: StartInput): Step {
  const { program, pauses } = stepping;
  const { restart, actor, definition } = input;
  // A restart passes the variables of the earlier execution. They already contain the defaults.
  const variables: JsonObject = restart ? input.variables : { ...program.definition.variables, ...input.variables };
  const step = openStep(program, newState(input, variables, input.now), input, pauses);
  addEntry(step, {
    kind: "started",
    definition: `${definition.name}@${definition.version}`,
    variables,
    actor,
    ...(restart ? { restartOf: restart.execution, place: restart.from, reason: restart.reason } : {}),
  });
  return step;
}

function refuseData(step: Step, input: StartInput): RefusalOrNull {
  const { restart, definition, variables: value } = input;
  const misfit = refuseViolations({
    schema: restart ? undefined : step.program.definition.input,
    value,
    pointer: "/variables",
    code: "variables_invalid",
    what: `the variables do not match the input schema of ${definition.name}@${definition.version}`,
    work: step.work,
  });
  return misfit ?? refuseDesired(step, input);
}

function beginNow(step: Step, input: StartInput): RefusalOrNull {
  const refused =
    makeFirstMove(step, input) ?? refuseFault(step, "invalid_input", "the execution cannot start with these variables");
  if (refused) return refused;
  processPending(step);
  reconcileDue(step);
  return refuseIfFull(step);
}

function refuseIfFull(step: Step): RefusalOrNull {
  return isSurelySmall(step) ? null : refuseFull(step);
}
