// Rules and templates of a machine, with their pointers.
import type { Behaviour, MachineDefinition } from "#schema/definition/definition.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { Rule } from "#schema/json.ts";
import { graphOf, transitionList, transitionsOf } from "../../programs/machine/graph.ts";
import { pointer, statePointer, transitionPointer } from "../../programs/machine/pointers.ts";
import { textsIn, type PlacedRule, type RulesAndTemplates } from "./rules-and-templates.ts";

type Assigned = { readonly [variable: string]: Rule };

export function rulesAndTemplatesOfMachine(definition: MachineDefinition): RulesAndTemplates {
  const { delays = {}, actions = [] } = definition;
  const rules: PlacedRule[] = [];
  const variables = new Set(Object.keys(definition.variables ?? {}));
  const take = (rule: Rule | undefined, where: string, isCondition = false, event: string | null = null): void =>
    void (rule !== undefined && rules.push({ rule, where, isCondition, event }));
  const takeAssign = (assign: Assigned, where: string, event: string | null = null): void => {
    for (const [variable, rule] of Object.entries(assign)) {
      variables.add(variable);
      take(rule, pointer(where, "assign", variable), false, event);
    }
  };
  const takeBehaviour = (item: Behaviour, where: string): void => {
    if (typeof item !== "string") takeAssign(item.assign, where);
  };
  const takeDelay = (delay: Delay | undefined, where: string): void => {
    if (typeof delay === "object") take(delay.anchor, pointer(where, "anchor"));
  };
  for (const { path, node } of graphOf(definition).values()) {
    const here = statePointer(path);
    (node.entry ?? []).forEach((item, n) => takeBehaviour(item, pointer(here, "entry", n)));
    (node.exit ?? []).forEach((item, n) => takeBehaviour(item, pointer(here, "exit", n)));
    for (const { field, key, list } of transitionsOf(node)) {
      transitionList(list).forEach(({ guard, assign = {} }, n) => {
        const where = transitionPointer(path, field, key, list, n);
        const event = field === "on" && key !== "*" ? key : null;
        take(guard, pointer(where, "guard"), true, event);
        takeAssign(assign, where, event);
      });
    }
  }
  actions.forEach(({ condition, validUntil, delay }, n) => {
    take(condition, pointer("/actions", n, "condition"), true);
    take(validUntil, pointer("/actions", n, "validUntil"));
    takeDelay(delay, pointer("/actions", n, "delay"));
  });
  for (const [name, delay] of Object.entries(delays)) takeDelay(delay, pointer("/delays", name));
  const configs = actions.map(({ config }, n) => ({
    rule: config,
    where: pointer("/actions", n, "config"),
    isCondition: false,
    event: null,
  }));
  const knownVariables = new Set([...variables, ...Object.keys(definition.input?.properties ?? {})]);
  return {
    knownVariables: knownVariables,
    rules,
    texts: configs.flatMap(({ rule, where }) => textsIn(rule, where)),
    configs,
    setVariables: variables,
  };
}
