// Rules and templates of a definition, with their pointers.
import type { Json, Rule } from "#schema/json.ts";
import type { AdditionalNames } from "../readable-names.ts";
import { pointer } from "../../programs/machine/pointers.ts";

export type RulesAndTemplates = {
  readonly rules: readonly PlacedRule[];
  readonly texts: readonly PlacedText[];
  readonly configs: readonly PlacedRule[];
  /** The names of all variables below, and of all variables in the input schema. */
  readonly knownVariables: ReadonlySet<string>;
  /** The names of variables that have an initial value or that a rule sets. */
  readonly setVariables: ReadonlySet<string>;
  /** Additional names that only this kind of definition has. */
  readonly additionalNames?: AdditionalNames;
};
/** A rule with its pointer. A condition may also be a text that contains the JSON of a rule. */
export type PlacedRule = {
  readonly rule: Rule;
  readonly where: string;
  readonly isCondition: boolean;
  /** The only event type that the rule's message can have; null if there may be several. */
  readonly event: string | null;
};
export type PlacedText = { readonly text: string; readonly where: string };

export type RulePortion = { readonly portion: RulesAndTemplates; readonly bytes: number };

const PORTION_BYTES = 16 * 1024;

/**
 * Splits the rules, texts and configs into portions of about PORTION_BYTES, in order. An item that is larger becomes a
 * portion of its own.
 */
export function splitIntoPortions(written: RulesAndTemplates): readonly RulePortion[] {
  const none = { ...written, rules: [], texts: [], configs: [] };
  return [
    ...groupByBytes(written.rules, ({ rule }) => sizeOf(rule)).map(({ items, bytes }) => {
      return { portion: { ...none, rules: items }, bytes };
    }),
    ...groupByBytes(written.texts, ({ text }) => text.length).map(({ items, bytes }) => {
      return { portion: { ...none, texts: items }, bytes };
    }),
    ...groupByBytes(written.configs, ({ rule }) => sizeOf(rule)).map(({ items, bytes }) => {
      return { portion: { ...none, configs: items }, bytes };
    }),
  ];
}

type Group<Item> = { readonly items: readonly Item[]; readonly bytes: number };

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

function sizeOf(rule: Rule): number {
  return JSON.stringify(rule).length;
}

export function textsIn(value: Json, where: string): readonly PlacedText[] {
  if (typeof value === "string") return [{ text: value, where }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) => textsIn(item, pointer(where, key)));
}
