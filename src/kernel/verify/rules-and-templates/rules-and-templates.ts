// Rules and templates of a definition, with their pointers: their types, constructors, and the split into portions.
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import type { Assign } from "#schema/definition/head.ts";
import { zoneRuleOf, type Delay, type ZoneSetting } from "#schema/definition/timing.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import type { AdditionalNames } from "../readable-names.ts";
import { pointer } from "../../programs/machine/pointers.ts";

export type RulesAndTemplates = {
  readonly rules: readonly PlacedRule[];
  /** The strings that are templates, most of them in the configs of actions. */
  readonly texts: readonly PlacedText[];
  /** The configs of actions. Authors write rules in them by mistake, so each is stored like a rule. */
  readonly configs: readonly PlacedRule[];
  /** The names of variables that have an initial value or that a rule sets. */
  readonly setVariables: ReadonlySet<string>;
  /** The names of `setVariables`, and of the variables that the input schema declares. */
  readonly knownVariables: ReadonlySet<string>;
  /** Names that rules can read only in this kind of definition. */
  readonly additionalNames?: AdditionalNames;
};
/** A rule. `where`: its pointer. */
export type PlacedRule = {
  readonly rule: Rule;
  readonly where: string;
  /** True if the rule may also be a text that contains the JSON of a rule. */
  readonly isCondition: boolean;
  /** The type of the event that the rule reads as its message; null if the message may have several types. */
  readonly event: string | null;
  /** True if the result is a time zone. */
  readonly isZone?: true;
};
/** A template. `where`: its pointer. */
export type PlacedText = { readonly text: string; readonly where: string };

/** Returns the rule as a list, so that lists can be joined; empty if there is no rule. */
export function ruleAt(rule: Rule | undefined, where: string, event: string | null = null): readonly PlacedRule[] {
  return rule === undefined ? [] : [{ rule, where, isCondition: false, event }];
}

/** Returns the condition as a list, so that lists can be joined; empty if there is no condition. */
export function conditionAt(rule: Rule | undefined, where: string, event: string | null = null): readonly PlacedRule[] {
  return rule === undefined ? [] : [{ rule, where, isCondition: true, event }];
}

/** Returns the rules that assign variables. `where`: the pointer of the object with the field `assign`. */
export function assignRules(assign: Assign | undefined, where: string, event: string | null): readonly PlacedRule[] {
  return Object.entries(assign ?? {}).flatMap(([name, rule]) => ruleAt(rule, pointer(where, "assign", name), event));
}

/** Returns the rules of a delay: its anchor, and its zone. A delay that is a name or a duration has none. */
export function delayRules(delay: Delay | undefined, where: string): readonly PlacedRule[] {
  if (typeof delay !== "object") return [];
  return [...ruleAt(delay.anchor, pointer(where, "anchor")), ...zoneRule(delay, where)];
}

/**
 * Returns the rule for the time zone of a definition, an action, a delay, a window or a cap. A window or cap that is a
 * name is listed where the definition defines it.
 */
export function zoneRule(one: string | Zoned | null | undefined, where: string): readonly PlacedRule[] {
  return typeof one === "object" && one !== null ? zoneRuleAt(one.timezone, pointer(where, "timezone")) : [];
}
type Zoned = { readonly timezone?: ZoneSetting | undefined };

/** Returns the rule of a zone setting as a list. `where`: the pointer of the setting. */
export function zoneRuleAt(setting: ZoneSetting | undefined, where: string): readonly PlacedRule[] {
  if (typeof setting !== "object") return [];
  const { rule, fallback } = zoneRuleOf(setting);
  const at = fallback === null ? where : pointer(where, "rule");
  return [{ rule, where: at, isCondition: false, event: null, isZone: true }];
}

/** Returns the rules of an action's limits by key. `where`: the pointer of the list. */
export function keyLimitRules(limits: readonly KeyLimit[] | undefined, where: string): readonly PlacedRule[] {
  return (limits ?? []).flatMap(({ key }, n) => ruleAt(key, pointer(where, n, "key")));
}

export function configAt(config: JsonObject, where: string): PlacedRule {
  return { rule: config, where, isCondition: false, event: null };
}

/** Returns the templates in a value: all its strings, at any depth. */
export function textsIn(value: Json, where: string): readonly PlacedText[] {
  if (typeof value === "string") return [{ text: value, where }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) => textsIn(item, pointer(where, key)));
}

/** Rules, texts or configs that one check reads without a pause. `bytes`: their size. */
export type RulePortion = { readonly portion: RulesAndTemplates; readonly bytes: number };

const PORTION_BYTES = 16 * 1024;

/**
 * Splits the rules, texts and configs into portions of about PORTION_BYTES, in order. An item that is larger becomes a
 * portion of its own.
 */
export function splitIntoPortions(written: RulesAndTemplates): readonly RulePortion[] {
  const { rules, texts, configs } = written;
  const none = { ...written, rules: [], texts: [], configs: [] };
  return [
    ...groupByBytes(rules, bytesOfRule).map(({ items, bytes }) => ({ portion: { ...none, rules: items }, bytes })),
    ...groupByBytes(texts, bytesOfText).map(({ items, bytes }) => ({ portion: { ...none, texts: items }, bytes })),
    ...groupByBytes(configs, bytesOfRule).map(({ items, bytes }) => ({ portion: { ...none, configs: items }, bytes })),
  ];
}

type Group<Item> = { readonly items: readonly Item[]; readonly bytes: number };

/** Groups neighboring items. A group exceeds PORTION_BYTES only if it has a single item. */
function groupByBytes<Item>(items: readonly Item[], bytesOf: (item: Item) => number): readonly Group<Item>[] {
  const groups: { readonly items: Item[]; bytes: number }[] = [];
  for (const item of items) {
    const bytes = bytesOf(item);
    const last = groups.at(-1);
    if (last === undefined || last.bytes + bytes > PORTION_BYTES) groups.push({ items: [item], bytes });
    else {
      last.items.push(item);
      last.bytes += bytes;
    }
  }
  return groups;
}

function bytesOfRule({ rule }: PlacedRule): number {
  return JSON.stringify(rule).length;
}

function bytesOfText({ text }: PlacedText): number {
  return text.length;
}
