// All errors in a definition whose shape is valid, each with a JSON pointer and a hint.
import type { Definition, MachineDefinition } from "#schema/definition/definition.ts";
import { firstFindings } from "#schema/findings.ts";
import { DEFINITION_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Computation } from "../computing/computation.ts";
import { inParts } from "../computing/in-parts.ts";
import { machineProgram } from "../programs/machine/machine.ts";
import { byteLength } from "../language/json-values.ts";
import { schemaFindingsOf } from "./declared/schemas.ts";
import { actionFindings } from "./actions.ts";
import { namedDelayFindings } from "./delays.ts";
import { finding } from "./finding.ts";
import { checkOf, runChecks } from "./checks.ts";
import { journeyFindings } from "./journey/journey.ts";
import { capSubjectFindings, limitTextFindings } from "./limits/limits.ts";
import { startLimitFindings } from "./limits/start-limits.ts";
import { limitRules } from "./rules-and-templates/limits.ts";
import { reconcilerFindings } from "./reconciler/reconciler.ts";
import { ruleAndNameFindings } from "./rules.ts";
import { zoneRule } from "./rules-and-templates/rules-and-templates.ts";
import { stateFindings } from "./states.ts";
import { placedRuleFindings } from "./rules-and-templates/zone-rules.ts";

/** The first errors of a definition, as many as a response lists. */
export function* verifyInParts(definition: Definition): Computation<readonly Finding[]> {
  const size = byteLength(JSON.stringify(definition));
  if (size > DEFINITION_BYTES_MAX) {
    const message = `the definition takes ${size} bytes; the limit is ${DEFINITION_BYTES_MAX} (DEFINITION_BYTES_MAX)`;
    return [finding("", "limit_exceeded", message)];
  }
  return firstFindings(yield* findingsOf(definition));
}

function* findingsOf(definition: Definition): Computation<readonly Finding[]> {
  switch (definition.kind) {
    case "machine": {
      const found = yield* runChecks(machineChecks.map((check) => checkOf(definition, check)));
      return found.length > 0 ? found : yield* loopFindings(definition);
    }
    case "journey":
      return yield* journeyFindings(definition);
    case "reconciler":
      return yield* runChecks([checkOf(definition, reconcilerFindings)]);
  }
}

const machineChecks: readonly ((definition: MachineDefinition) => readonly Finding[])[] = [
  schemaFindingsOf,
  stateFindings,
  (definition) => zoneRule(definition, "").flatMap(placedRuleFindings),
  namedDelayFindings,
  ruleAndNameFindings,
  actionFindings,
  capSubjectFindings,
  startLimitFindings,
  limitTextFindings,
  (definition) => limitRules(definition).flatMap(placedRuleFindings),
];

const AT = { now: 0, planned: 0 };

/**
 * Errors of a start with the default variables. The start must reach a stable state. An endless `always` loop is
 * therefore an error here, and the check itself does not hang.
 */
function* loopFindings(definition: MachineDefinition): Computation<readonly Finding[]> {
  const { variables = {} } = definition;
  const program = machineProgram(definition);
  const move = yield* inParts((work) => program.begin(variables, { execution: { variables } }, work, AT));
  if (move.ok || move.code === "rule_fault") return [];
  if (move.code === "too_costly") {
    const hint =
      "Reduce the input of the definition's rules, or replace automatic transitions by transitions for events.";
    return [finding("/states", "rule_too_costly", `the start of an execution fails: ${move.message}`, hint)];
  }
  return [
    finding("/states", "endless_loop", move.message, "Add a guard to one of the always transitions in the loop."),
  ];
}
