// All errors in a journey whose shape is valid.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Computation } from "../../computing/computation.ts";
import { inParts } from "../../computing/in-parts.ts";
import { actionsOf } from "../../programs/journey/node-actions.ts";
import { journeyProgram } from "../../programs/journey/journey.ts";
import { placeOfFinding } from "../../programs/placed-actions.ts";
import { oneActionFindings } from "../actions.ts";
import { schemaFindingsOf } from "../declared/schemas.ts";
import { delaysOf, namedDelayFindings } from "../delays.ts";
import { finding } from "../finding.ts";
import { checkOf, runChecks } from "../checks.ts";
import { graphFindings } from "./graph.ts";
import { nameFindings } from "./names.ts";
import { rulesIn } from "../rules-and-templates/journey.ts";
import { placedRuleFindings } from "../rules-and-templates/zone-rules.ts";

export function* journeyFindings(definition: JourneyDefinition): Computation<readonly Finding[]> {
  const found = yield* runChecks(checks.map((check) => checkOf(definition, check)));
  // A start is only possible if the graph has no errors.
  return found.length > 0 ? found : yield* costFindings(definition);
}

const checks: readonly ((definition: JourneyDefinition) => readonly Finding[])[] = [
  graphFindings,
  schemaFindingsOf,
  namedDelayFindings,
  (definition) => rulesIn(definition).flatMap(placedRuleFindings),
  nameFindings,
  (definition) => {
    const delays = delaysOf(definition);
    return actionsOf(definition).flatMap((placed) =>
      oneActionFindings(placed.action, delays, "").map((each) => placeOfFinding(definition, placed, each)),
    );
  },
];

const AT = { now: 0, planned: 0 };

/** Errors of a start with the default variables: the start must not cost more than the budget of a step. */
function* costFindings(definition: JourneyDefinition): Computation<readonly Finding[]> {
  const { variables = {} } = definition;
  const program = journeyProgram(definition);
  const move = yield* inParts((work) => program.begin(variables, { execution: { variables } }, work, AT));
  if (move.ok || move.code !== "too_costly") return [];
  const hint = "Reduce the data that the rules of the definition read.";
  return [finding("/nodes", "rule_too_costly", `the start of an execution fails: ${move.message}`, hint)];
}
