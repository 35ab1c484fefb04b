// Rules and templates of a reconciler: conditions, reasons and configs.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { namesInReconcilers } from "../readable-names.ts";
import { textsIn, type PlacedRule, type PlacedText, type RulesAndTemplates } from "./rules-and-templates.ts";

export function rulesAndTemplatesOfReconciler(definition: ReconcilerDefinition): RulesAndTemplates {
  const { actions = [], input, variables: begun = {} } = definition;
  const variables = new Set(Object.keys(begun));
  const configs = actions.map(({ config }, n) => ({
    rule: config,
    where: pointer("/actions", n, "config"),
    isCondition: false,
    event: null,
  }));
  return {
    knownVariables: new Set([...variables, ...Object.keys(input?.properties ?? {})]),
    rules: rulesIn(definition),
    texts: [...reasonsIn(definition), ...configs.flatMap(({ rule, where }) => textsIn(rule, where))],
    configs,
    setVariables: variables,
    additionalNames: namesInReconcilers,
  };
}

export function rulesIn({ states, collector, correlation, actions = [] }: ReconcilerDefinition): readonly PlacedRule[] {
  const whens = Object.entries(states).flatMap(([name, { rules = [] }]) =>
    rules.flatMap(({ when }, n) => ruleAt(when, pointer("/states", name, "rules", n, "when"), true)),
  );
  return [
    ...whens,
    ...ruleAt(collector?.observed, "/collector/observed"),
    ...ruleAt(correlation?.key, "/correlation/key"),
    ...actions.flatMap(({ validUntil }, n) => ruleAt(validUntil, pointer("/actions", n, "validUntil"))),
  ];
}

export function reasonsIn({ states, onShutdown }: ReconcilerDefinition): readonly PlacedText[] {
  const own = Object.entries(states).flatMap(([name, { reason, rules = [] }]) => [
    ...textAt(reason, pointer("/states", name, "reason")),
    ...rules.flatMap((rule, n) => textAt(rule.reason, pointer("/states", name, "rules", n, "reason"))),
  ]);
  return typeof onShutdown === "object" ? [...own, ...textAt(onShutdown.reason, "/onShutdown/reason")] : own;
}

function ruleAt(rule: PlacedRule["rule"] | undefined, where: string, isCondition = false): readonly PlacedRule[] {
  return rule === undefined ? [] : [{ rule, where, isCondition, event: null }];
}

function textAt(text: string | undefined, where: string): readonly PlacedText[] {
  return text === undefined ? [] : [{ text, where }];
}
