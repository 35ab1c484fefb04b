// All errors in a journey of the right shape.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Finding } from "#schema/refusal.ts";
import { ruleFindings } from "../../language/logic.ts";
import { openWork } from "../../computing/work.ts";
import { actionsOf } from "../../programs/journey/acting.ts";
import { journeyProgram } from "../../programs/journey/journey.ts";
import { placeOfFinding } from "../../programs/placed-actions.ts";
import { oneActionFindings } from "../actions.ts";
import { declaredFindings } from "../declared/declared.ts";
import { delaysOf, namedDelayFindings } from "../delays.ts";
import { finding } from "../finding.ts";
import { graphFindings } from "./graph.ts";
import { nameFindings } from "./names.ts";
import { rulesIn } from "../written/journey.ts";

export function journeyFindings(definition: JourneyDefinition): readonly Finding[] {
  const graph = graphFindings(definition);
  // The checks below need a valid graph.
  if (graph.length > 0) return graph;
  const delays = delaysOf(definition);
  const found = [
    ...declaredFindings(definition),
    ...namedDelayFindings(definition),
    ...rulesIn(definition).flatMap(({ rule, where, isCondition }) =>
      ruleFindings(rule, where, isCondition ? "condition" : "value"),
    ),
    ...nameFindings(definition),
    ...actionsOf(definition).flatMap((placed) =>
      oneActionFindings(placed.action, delays, "").map((each) => placeOfFinding(definition, placed, each)),
    ),
  ];
  return found.length > 0 ? found : costFindings(definition);
}

const AT = { now: 0, planned: 0 };

/** A start with the default variables must not exceed the budget of a step. */
function costFindings(definition: JourneyDefinition): readonly Finding[] {
  const { variables = {} } = definition;
  const move = journeyProgram(definition).begin(variables, { execution: { variables } }, openWork(), AT);
  if (move.ok || move.code !== "too_costly") return [];
  const hint = "Reduce the input of its rules.";
  return [finding("/nodes", "rule_too_costly", `the start of an execution fails: ${move.message}`, hint)];
}
