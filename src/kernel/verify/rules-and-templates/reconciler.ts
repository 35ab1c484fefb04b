// Rules and templates of a reconciler: conditions, reasons and configs.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { namesInReconcilers } from "../readable-names.ts";
import { limitRules, namedLimitTexts } from "./limits.ts";
import {
  conditionAt,
  configAt,
  delayRules,
  keyLimitRules,
  ruleAt,
  textsIn,
  zoneRule,
  type PlacedRule,
  type PlacedText,
  type RulesAndTemplates,
} from "./rules-and-templates.ts";

export function rulesAndTemplatesOfReconciler(definition: ReconcilerDefinition): RulesAndTemplates {
  const { actions = [], input, variables = {} } = definition;
  const setVariables = new Set(Object.keys(variables));
  const knownVariables = new Set([...setVariables, ...Object.keys(input?.properties ?? {})]);
  const configs = actions.map(({ config }, n) => configAt(config, pointer("/actions", n, "config")));
  return {
    rules: rulesIn(definition),
    texts: [
      ...reasonsIn(definition),
      ...namedLimitTexts(definition),
      ...configs.flatMap(({ rule, where }) => textsIn(rule, where)),
    ],
    configs,
    setVariables,
    knownVariables,
    additionalNames: namesInReconcilers,
  };
}

/** All rules of a reconciler. */
export function rulesIn(definition: ReconcilerDefinition): readonly PlacedRule[] {
  const { states, collector, correlation, delays = {}, deriveDesired = {}, actions = [] } = definition;
  const conditions = Object.entries(states).flatMap(([name, { rules = [] }]) =>
    rules.flatMap(({ when }, n) => conditionAt(when, pointer("/states", name, "rules", n, "when"))),
  );
  return [
    ...conditions,
    ...zoneRule(definition, ""),
    ...Object.entries(delays).flatMap(([name, delay]) => delayRules(delay, pointer("/delays", name))),
    ...Object.entries(deriveDesired).flatMap(([field, rule]) => ruleAt(rule, pointer("/deriveDesired", field))),
    ...ruleAt(collector?.observed, "/collector/observed"),
    ...ruleAt(correlation?.key, "/correlation/key"),
    ...limitRules(definition),
    ...actions.flatMap(({ validUntil, delay, timezone, limit }, n) => [
      ...ruleAt(validUntil, pointer("/actions", n, "validUntil")),
      ...delayRules(delay, pointer("/actions", n, "delay")),
      ...zoneRule({ timezone }, pointer("/actions", n)),
      ...keyLimitRules(limit, pointer("/actions", n, "limit")),
    ]),
  ];
}

/** The reasons of states, rules and the shutdown, which are templates. */
export function reasonsIn({ states, onShutdown }: ReconcilerDefinition): readonly PlacedText[] {
  const reasonsOfStates = Object.entries(states).flatMap(([name, { reason, rules = [] }]) => [
    ...textAt(reason, pointer("/states", name, "reason")),
    ...rules.flatMap((rule, n) => textAt(rule.reason, pointer("/states", name, "rules", n, "reason"))),
  ]);
  const reasonOfShutdown = typeof onShutdown === "object" ? onShutdown.reason : undefined;
  return [...reasonsOfStates, ...textAt(reasonOfShutdown, "/onShutdown/reason")];
}

/** Returns the template as a list, so that lists can be joined; empty if there is no template. */
function textAt(text: string | undefined, where: string): readonly PlacedText[] {
  return text === undefined ? [] : [{ text, where }];
}
