// Rules and templates of windows and caps, with their pointers.
import type { Cap } from "#schema/definition/cap.ts";
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import type { Window } from "#schema/definition/window.ts";
import type { NamedLimits } from "../../programs/named-limits.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { keyLimitRules, ruleAt, zoneRule, type PlacedRule, type PlacedText } from "./rules-and-templates.ts";

/** The rules of the windows and caps of a machine or reconciler: of the declared ones, and of those inside actions. */
export function limitRules(definition: DefinedLimits & { readonly actions?: readonly LimitedAction[] | undefined }) {
  const { actions = [] } = definition;
  return [
    ...namedLimitRules(definition),
    ...actions.flatMap(({ window }, n) => zoneRule(window, pointer("/actions", n, "window"))),
  ];
}

type LimitedAction = { readonly window?: string | Window | undefined };

/** The parts of a definition that limit its actions and its starts. */
type DefinedLimits = NamedLimits & { readonly limit?: readonly KeyLimit[] | undefined };

/** The rules in the windows, caps and limits on starts that a definition declares. */
export function namedLimitRules({ windows = {}, caps = {}, limit }: DefinedLimits): readonly PlacedRule[] {
  return [
    ...keyLimitRules(limit, "/limit"),
    ...Object.entries(windows).flatMap(([name, window]) => zoneRule(window, pointer("/windows", name))),
    ...Object.entries(caps).flatMap(([name, cap]) => capRules(cap, pointer("/caps", name))),
  ];
}

/** The templates in the caps that a definition declares. */
export function namedLimitTexts({ caps = {} }: NamedLimits): readonly PlacedText[] {
  return Object.entries(caps).flatMap(([name, cap]) => capTexts(cap, pointer("/caps", name)));
}

/** The rules of a cap. A subject that is a text is a template. */
export function capRules(cap: Cap, where: string): readonly PlacedRule[] {
  const { subject } = cap;
  const subjectRule = typeof subject === "string" ? [] : ruleAt(subject, pointer(where, "subject"));
  return [...zoneRule(cap, where), ...subjectRule];
}

export function capTexts({ subject }: Cap, where: string): readonly PlacedText[] {
  return typeof subject === "string" ? [{ text: subject, where: pointer(where, "subject") }] : [];
}
