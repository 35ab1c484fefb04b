// Probable mistakes in a journey: rules that are never true, cases that are never reached, and joins with a single
// incoming edge.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Warning } from "#schema/refusal.ts";
import { openWork } from "../../computing/work.ts";
import { kindOf, planOf } from "../../programs/journey/journey-plan.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { hint, warning } from "../finding.ts";
import { constantResult } from "../constant-result.ts";
import type { RulesAndTemplates } from "../rules-and-templates/rules-and-templates.ts";

export function journeyWarnings(definition: JourneyDefinition, { rules }: RulesAndTemplates): readonly Warning[] {
  const work = openWork();
  const conditions = rules.filter(({ isCondition }) => isCondition);
  return [
    ...conditions
      .filter(({ rule, event }) => constantResult(rule, work, event) === false)
      .map(({ where }) => neverTrueRule(where)),
    ...shadowedCases(definition),
    ...joinsOfOneEdge(definition),
  ];
}

/** Event types for which a node or goal waits. */
export function awaitedEventTypesIn(definition: JourneyDefinition): ReadonlySet<string> {
  const goals = (definition.exitWhen ?? []).flatMap(({ event }) => event ?? []);
  return new Set([...planOf(definition).listeners.keys(), ...goals]);
}

function neverTrueRule(where: string): Warning {
  const fix = 'Use "var" to compare data of the execution or its message, or remove the rule.';
  const patch = [{ op: "remove", path: where } as const];
  return warning(where, "never_holds", "this rule is never true", { fix, patch });
}

/**
 * Warnings about cases that follow a case that is always true. The first true case is taken, so these are never
 * evaluated.
 */
function shadowedCases({ nodes }: JourneyDefinition): readonly Warning[] {
  const work = openWork();
  return Object.entries(nodes).flatMap(([name, node]) => {
    const is = kindOf(node);
    if (is.kind !== "branch") return [];
    const { cases } = is.node;
    const first = cases.findIndex(({ guard }) => guard === undefined || constantResult(guard, work) === true);
    if (first < 0 || first === cases.length - 1) return [];
    const [from, where] = [first, first + 1].map((n) => pointer("/nodes", name, "cases", n));
    const message = `the earlier case ${from} can always be taken, so this case and the cases after it are never taken`;
    return [
      warning(String(where), "never_taken", message, {
        fix: `Move the case ${from} to the end, or add a guard to it.`,
      }),
    ];
  });
}

function joinsOfOneEdge(definition: JourneyDefinition): readonly Warning[] {
  return [...planOf(definition).nodes.values()].flatMap(({ name, is, incoming }) => {
    if (is.node.join === undefined || incoming !== 1) return [];
    const where = pointer("/nodes", name, "join");
    const patch = [{ op: "remove", path: where } as const];
    return [
      hint(where, "join_single_edge", "only one edge leads to this node, so there is nothing to join", {
        fix: "Omit this field.",
        patch,
      }),
    ];
  });
}
