// Rules and templates of a definition, with their pointers.
import type { Json, Rule } from "#schema/json.ts";
import type { Given } from "../seen-names.ts";
import { pointer } from "../../programs/machine/places.ts";

export type Written = {
  readonly rules: readonly PlacedRule[];
  readonly texts: readonly PlacedText[];
  readonly configs: readonly PlacedRule[];
  /** These, and the ones in the input schema. */
  readonly named: ReadonlySet<string>;
  /** Variables that have an initial value, or that a rule sets. */
  readonly variables: ReadonlySet<string>;
  /** Additional names of the definition's kind. */
  readonly given?: Given;
};
/** A condition may be a text that contains its JSON. */
export type PlacedRule = {
  readonly rule: Rule;
  readonly where: string;
  readonly isCondition: boolean;
  /** The only event type that its message can have; null if there may be others. */
  readonly event: string | null;
};
export type PlacedText = { readonly text: string; readonly where: string };

export function textsIn(value: Json, where: string): readonly PlacedText[] {
  if (typeof value === "string") return [{ text: value, where }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) => textsIn(item, pointer(where, key)));
}
