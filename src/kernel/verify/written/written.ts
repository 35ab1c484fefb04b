// What of a definition is written in a language of its own, each with its place: rules, and texts that are templates.
import type { Json, Rule } from "#schema/json.ts";
import type { Given } from "../seen-names.ts";
import { pointer } from "../../programs/machine/places.ts";

export type Written = {
  readonly rules: readonly PlacedRule[];
  readonly texts: readonly PlacedText[];
  readonly configs: readonly PlacedRule[];
  /** Those, and the ones that a start is declared to give. */
  readonly named: ReadonlySet<string>;
  /** Variables that have a value to begin with, or that some rule sets. */
  readonly variables: ReadonlySet<string>;
  /** Names that its kind sees besides those that all do. */
  readonly given?: Given;
};
/** A condition may stand as a text that holds its JSON. */
export type PlacedRule = {
  readonly rule: Rule;
  readonly where: string;
  readonly isCondition: boolean;
  /** The one type of event that its message has; null where it may have come about otherwise. */
  readonly event: string | null;
};
export type PlacedText = { readonly text: string; readonly where: string };

export function textsIn(value: Json, where: string): readonly PlacedText[] {
  if (typeof value === "string") return [{ text: value, where }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) => textsIn(item, pointer(where, key)));
}
