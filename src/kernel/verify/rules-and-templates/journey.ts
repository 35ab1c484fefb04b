// Rules and templates of a journey, with their pointers.
import type { Assign } from "#schema/definition/head.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { Window } from "#schema/definition/window.ts";
import type { Rule } from "#schema/json.ts";
import { actionsOf } from "../../programs/journey/node-actions.ts";
import { kindOf, type Kind } from "../../programs/journey/journey-plan.ts";
import { placeIn } from "../../programs/placed-actions.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { namesInJourneys } from "../readable-names.ts";
import { textsIn, type PlacedRule, type RulesAndTemplates } from "./rules-and-templates.ts";

export function rulesAndTemplatesOfJourney(definition: JourneyDefinition): RulesAndTemplates {
  const rules = [...rulesIn(definition), ...actionRules(definition)];
  const variables = new Set([...Object.keys(definition.variables ?? {}), ...assignedVariables(definition)]);
  const knownVariables = new Set([...variables, ...Object.keys(definition.input?.properties ?? {})]);
  const configs = actionsOf(definition).map((placed) => ({
    rule: placed.action.config,
    where: pointer("", ...placeIn(definition, placed, ["config"])),
    isCondition: false,
    event: null,
  }));
  return {
    knownVariables: knownVariables,
    rules,
    texts: configs.flatMap(({ rule, where }) => textsIn(rule, where)),
    configs,
    setVariables: variables,
    additionalNames: namesInJourneys,
  };
}

/** All rules of a journey, except the rules of its actions. */
export function rulesIn(definition: JourneyDefinition): readonly PlacedRule[] {
  const { subject, correlation, delays = {}, windows = {}, caps = {}, defaults = {}, exitWhen = [] } = definition;
  return [
    ...ruleAt(subject, "/subject"),
    ...ruleAt(correlation?.key, "/correlation/key"),
    ...Object.entries(delays).flatMap(([name, delay]) => ruleAt(delay.anchor, pointer("/delays", name, "anchor"))),
    ...Object.entries(windows).flatMap(([name, window]) => zoneRule(window, pointer("/windows", name))),
    ...Object.entries(caps).flatMap(([name, cap]) => zoneRule(cap, pointer("/caps", name))),
    ...Object.entries(defaults).flatMap(([type, { window }]) => zoneRule(window, pointer("/defaults", type, "window"))),
    ...exitWhen.flatMap((goal, n) => awaitedRules(goal, pointer("/exitWhen", n))),
    ...Object.entries(definition.nodes).flatMap(([name, node]) => nodeRules(kindOf(node), pointer("/nodes", name))),
  ];
}

function nodeRules(is: Kind, where: string): readonly PlacedRule[] {
  const condition = "condition" in is.node && is.kind !== "acting" ? is.node.condition : undefined;
  return [...ruleAt(condition, pointer(where, "condition"), true), ...ownRules(is, where)];
}

function ownRules(is: Kind, where: string): readonly PlacedRule[] {
  switch (is.kind) {
    case "acting":
      return [...assignRules(is.node.assign, where, null), ...zoneRule(is.node.window, pointer(where, "window"))];
    case "journey":
      return assignRules(is.node.assign, where, null);
    case "delay":
      return anchorIn(is.node.until, pointer(where, "until"));
    case "branch":
      return is.node.cases.flatMap(({ guard }, n) => ruleAt(guard, pointer(where, "cases", n, "guard"), true));
    case "wait": {
      const after = anchorIn(is.node.timeout?.after, pointer(where, "timeout", "after"));
      return [...is.node.for.flatMap((one, n) => awaitedRules(one, pointer(where, "for", n))), ...after];
    }
    case "split":
      return ruleAt(is.node.by, pointer(where, "by"));
    case "each": {
      const until = is.node.until === undefined ? [] : awaitedRules(is.node.until, pointer(where, "until"));
      return [
        ...ruleAt(is.node.over, pointer(where, "over")),
        ...zoneRule(is.node.node.window, pointer(where, "node", "window")),
        ...until,
        ...anchorIn(is.node.every, pointer(where, "every")),
      ];
    }
    case "exit":
      return [];
  }
}

type ZonedPart = Pick<Window, "timezone">;

/**
 * The timezone rule of a window or cap that is written inside the node. A named window or cap is listed where the
 * definition defines it.
 */
function zoneRule(one: string | ZonedPart | undefined, where: string): readonly PlacedRule[] {
  const zone = typeof one === "object" ? one.timezone : undefined;
  return typeof zone === "object" ? ruleAt(zone, pointer(where, "timezone")) : [];
}

type AwaitedPart = {
  readonly event?: string | undefined;
  readonly when?: Rule | undefined;
  readonly guard?: Rule | undefined;
  readonly assign?: Assign | undefined;
};

function awaitedRules({ event: type, when, guard, assign }: AwaitedPart, where: string): readonly PlacedRule[] {
  const event = type ?? null;
  return [
    ...ruleAt(when, pointer(where, "when"), true),
    ...ruleAt(guard, pointer(where, "guard"), true, event),
    ...assignRules(assign, where, event),
  ];
}

function assignRules(assign: Assign | undefined, where: string, event: string | null): readonly PlacedRule[] {
  return Object.entries(assign ?? {}).flatMap(([name, rule]) =>
    ruleAt(rule, pointer(where, "assign", name), false, event),
  );
}

function anchorIn(delay: Delay | undefined, where: string): readonly PlacedRule[] {
  return typeof delay === "object" ? ruleAt(delay.anchor, pointer(where, "anchor")) : [];
}

function actionRules(definition: JourneyDefinition): readonly PlacedRule[] {
  return actionsOf(definition).flatMap((placed) => {
    const place = (field: string): string => pointer("", ...placeIn(definition, placed, [field]));
    const { condition, validUntil, delay } = placed.action;
    return [
      ...ruleAt(condition, place("condition"), true),
      ...ruleAt(validUntil, place("validUntil")),
      ...anchorIn(delay, place("delay")),
    ];
  });
}

function ruleAt(
  rule: Rule | undefined,
  where: string,
  isCondition = false,
  event: string | null = null,
): readonly PlacedRule[] {
  return rule === undefined ? [] : [{ rule, where, isCondition, event }];
}

function assignedVariables({ nodes, exitWhen = [] }: JourneyDefinition): readonly string[] {
  const all = Object.values(nodes).flatMap((node): readonly (Assign | undefined)[] => {
    const is = kindOf(node);
    if (is.kind === "wait") return is.node.for.map(({ assign }) => assign);
    return is.kind === "acting" || is.kind === "journey" ? [is.node.assign] : [];
  });
  return [...all, ...exitWhen.map(({ assign }) => assign)].flatMap((assign) => Object.keys(assign ?? {}));
}
