// Rules and templates of a machine, with their pointers.
import type { Behaviour, MachineDefinition } from "#schema/definition/definition.ts";
import type { Assign } from "#schema/definition/head.ts";
import { graphOf, transitionList, transitionsOf, type GraphNode } from "../../programs/machine/graph.ts";
import { pointer, statePointer, transitionPointer } from "../../programs/machine/pointers.ts";
import { limitRules, namedLimitTexts } from "./limits.ts";
import {
  delayRules,
  assignRules,
  conditionAt,
  configAt,
  keyLimitRules,
  ruleAt,
  textsIn,
  zoneRule,
  type PlacedRule,
  type RulesAndTemplates,
} from "./rules-and-templates.ts";

export function rulesAndTemplatesOfMachine(definition: MachineDefinition): RulesAndTemplates {
  const { variables = {}, input, delays = {}, actions = [] } = definition;
  const states = [...graphOf(definition).values()];
  const setVariables = new Set([...Object.keys(variables), ...states.flatMap(assignedVariables)]);
  const configs = actions.map(({ config }, n) => configAt(config, pointer("/actions", n, "config")));
  return {
    rules: [
      ...states.flatMap(stateRules),
      ...zoneRule(definition, ""),
      ...actionRules(definition),
      ...limitRules(definition),
      ...Object.entries(delays).flatMap(([name, delay]) => delayRules(delay, pointer("/delays", name))),
    ],
    texts: [...namedLimitTexts(definition), ...configs.flatMap(({ rule, where }) => textsIn(rule, where))],
    configs,
    setVariables,
    knownVariables: new Set([...setVariables, ...Object.keys(input?.properties ?? {})]),
  };
}

/** The rules in a state's entry and exit actions, and in its transitions. */
function stateRules({ path, node }: GraphNode): readonly PlacedRule[] {
  const { entry = [], exit = [] } = node;
  const state = statePointer(path);
  return [
    ...entry.flatMap((item, n) => assignRules(assignOf(item), pointer(state, "entry", n), null)),
    ...exit.flatMap((item, n) => assignRules(assignOf(item), pointer(state, "exit", n), null)),
    ...transitionsOf(node).flatMap(({ field, key, list }) => {
      const event = field === "on" && key !== "*" ? key : null;
      return transitionList(list).flatMap(({ guard, assign }, n) => {
        const where = transitionPointer(path, field, key, list, n);
        return [...conditionAt(guard, pointer(where, "guard"), event), ...assignRules(assign, where, event)];
      });
    }),
  ];
}

/** The names of the variables that a state's entry and exit actions, and its transitions, assign. */
function assignedVariables({ node }: GraphNode): readonly string[] {
  const { entry = [], exit = [] } = node;
  const transitions = transitionsOf(node).flatMap(({ list }) => transitionList(list));
  const assigns = [...[...entry, ...exit].map(assignOf), ...transitions.map(({ assign }) => assign)];
  return assigns.flatMap((assign) => Object.keys(assign ?? {}));
}

/** An entry or exit action is either the name of an action or an assignment. */
function assignOf(behaviour: Behaviour): Assign | undefined {
  return typeof behaviour === "string" ? undefined : behaviour.assign;
}

function actionRules({ actions = [] }: MachineDefinition): readonly PlacedRule[] {
  return actions.flatMap(({ condition, validUntil, delay, timezone, limit }, n) => [
    ...conditionAt(condition, pointer("/actions", n, "condition")),
    ...ruleAt(validUntil, pointer("/actions", n, "validUntil")),
    ...delayRules(delay, pointer("/actions", n, "delay")),
    ...zoneRule({ timezone }, pointer("/actions", n)),
    ...keyLimitRules(limit, pointer("/actions", n, "limit")),
  ]);
}
