// Rules and templates of a journey, with their pointers.
import type { Assign } from "#schema/definition/head.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Rule } from "#schema/json.ts";
import { actionsOf } from "../../programs/journey/node-actions.ts";
import { kindOf, type Kind } from "../../programs/journey/journey-plan.ts";
import { placeIn } from "../../programs/placed-actions.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { namesInJourneys } from "../readable-names.ts";
import { namedLimitRules, namedLimitTexts } from "./limits.ts";
import {
  delayRules,
  assignRules,
  conditionAt,
  configAt,
  keyLimitRules,
  ruleAt,
  textsIn,
  zoneRule,
  zoneRuleAt,
  type PlacedRule,
  type RulesAndTemplates,
} from "./rules-and-templates.ts";

export function rulesAndTemplatesOfJourney(definition: JourneyDefinition): RulesAndTemplates {
  const { variables = {}, input } = definition;
  const setVariables = new Set([...Object.keys(variables), ...assignedVariables(definition)]);
  const configs = actionsOf(definition).map((placed) =>
    configAt(placed.action.config, pointer("", ...placeIn(definition, placed, ["config"]))),
  );
  return {
    rules: [...rulesIn(definition), ...actionRules(definition)],
    texts: [...namedLimitTexts(definition), ...configs.flatMap(({ rule, where }) => textsIn(rule, where))],
    configs,
    setVariables,
    knownVariables: new Set([...setVariables, ...Object.keys(input?.properties ?? {})]),
    additionalNames: namesInJourneys,
  };
}

/** All rules of a journey, except the rules of its actions. */
export function rulesIn(definition: JourneyDefinition): readonly PlacedRule[] {
  const { subject, correlation, delays = {}, defaults = {}, exitWhen = [] } = definition;
  return [
    ...ruleAt(subject, "/subject"),
    ...ruleAt(correlation?.key, "/correlation/key"),
    ...zoneRule(definition, ""),
    ...Object.entries(delays).flatMap(([name, delay]) => delayRules(delay, pointer("/delays", name))),
    ...namedLimitRules(definition),
    ...Object.entries(defaults).flatMap(([type, { window }]) => zoneRule(window, pointer("/defaults", type, "window"))),
    ...exitWhen.flatMap((goal, n) => awaitedRules(goal, pointer("/exitWhen", n))),
    ...Object.entries(definition.nodes).flatMap(([name, node]) => nodeRules(kindOf(node), pointer("/nodes", name))),
  ];
}

/** The rules of a node. The condition of an action is listed with the action (`actionRules`). */
function nodeRules(is: Kind, where: string): readonly PlacedRule[] {
  const condition = "condition" in is.node && is.kind !== "acting" ? is.node.condition : undefined;
  return [...conditionAt(condition, pointer(where, "condition")), ...rulesOfKind(is, where)];
}

/** The rules in those fields of a node that only its kind has. */
function rulesOfKind(is: Kind, where: string): readonly PlacedRule[] {
  switch (is.kind) {
    case "acting":
      return [...assignRules(is.node.assign, where, null), ...zoneRule(is.node.window, pointer(where, "window"))];
    case "journey":
      return assignRules(is.node.assign, where, null);
    case "delay":
      return delayRules(is.node.until, pointer(where, "until"));
    case "branch":
      return is.node.cases.flatMap(({ guard }, n) => conditionAt(guard, pointer(where, "cases", n, "guard")));
    case "wait": {
      const alternatives = is.node.for.flatMap((one, n) => awaitedRules(one, pointer(where, "for", n)));
      return [...alternatives, ...delayRules(is.node.timeout?.after, pointer(where, "timeout", "after"))];
    }
    case "split":
      return ruleAt(is.node.by, pointer(where, "by"));
    case "each": {
      const until = is.node.until === undefined ? [] : awaitedRules(is.node.until, pointer(where, "until"));
      return [
        ...ruleAt(is.node.over, pointer(where, "over")),
        ...zoneRule(is.node.node.window, pointer(where, "node", "window")),
        ...until,
        ...delayRules(is.node.every, pointer(where, "every")),
      ];
    }
    case "exit":
      return [];
  }
}

/** An event or a condition for which a wait, a goal or a repeated node waits. */
type AwaitedPart = {
  readonly event?: string | undefined;
  readonly when?: Rule | undefined;
  readonly guard?: Rule | undefined;
  readonly assign?: Assign | undefined;
};

function awaitedRules({ event: type, when, guard, assign }: AwaitedPart, where: string): readonly PlacedRule[] {
  const event = type ?? null;
  return [
    ...conditionAt(when, pointer(where, "when")),
    ...conditionAt(guard, pointer(where, "guard"), event),
    ...assignRules(assign, where, event),
  ];
}

/** The rules of actions, at their pointers in the nodes or in `defaults`. */
function actionRules(definition: JourneyDefinition): readonly PlacedRule[] {
  return actionsOf(definition).flatMap((placed) => {
    const place = (field: string): string => pointer("", ...placeIn(definition, placed, [field]));
    const { condition, validUntil, delay, limit } = placed.action;
    return [
      ...conditionAt(condition, place("condition")),
      ...ruleAt(validUntil, place("validUntil")),
      ...delayRules(delay, place("delay")),
      ...zoneRuleAt(placed.action.timezone, place("timezone")),
      ...keyLimitRules(limit, place("limit")),
    ];
  });
}

/** The names of the variables that nodes and goals assign. */
function assignedVariables({ nodes, exitWhen = [] }: JourneyDefinition): readonly string[] {
  const assignsOfNodes = Object.values(nodes).flatMap((node): readonly (Assign | undefined)[] => {
    const is = kindOf(node);
    if (is.kind === "wait") return is.node.for.map(({ assign }) => assign);
    return is.kind === "acting" || is.kind === "journey" ? [is.node.assign] : [];
  });
  return [...assignsOfNodes, ...exitWhen.map(({ assign }) => assign)].flatMap((assign) => Object.keys(assign ?? {}));
}
